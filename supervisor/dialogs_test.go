package supervisor_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"sync"
	"testing"

	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/supervisor/asker"
	"github.com/pomerado-go/pomerado/supervisor/confirmtest"
)

func TestConfirmContract(t *testing.T) {
	t.Parallel()
	s := newSupervisor(t)
	confirmtest.Test(t, func(t *testing.T, run confirmtest.Run) json.RawMessage {
		effect := outcome.Read
		if run.Write {
			effect = outcome.Write
		}
		out, err := s.Run(t.Context(), supervisor.Request{Artifact: run.Artifact, URL: run.URL, Input: run.Input, Effect: effect, Asker: asker.Func(run.Ask)})
		if err != nil {
			t.Fatal(err)
		}
		// A write that nothing confirmed is unknown; its output is the script's all the same.
		if out.Status != outcome.Completed && out.Code != outcome.OutcomeUnknown {
			t.Fatalf("%s: %s %+v", out.Code, out.Error, out.Details)
		}
		return out.Output
	})
}

// A host may judge a confirm itself, and hears of every dialog that was answered without asking.
func TestJudgedConfirms(t *testing.T) {
	var mu sync.Mutex
	var incidents []supervisor.Incident
	var judged []supervisor.Confirm
	problem := errors.New("the judge is away")
	s := newSupervisor(t, func(o *supervisor.Options) {
		o.JudgeConfirm = func(_ context.Context, c supervisor.Confirm) (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			judged = append(judged, c)
			if c.Step == "away" {
				return false, problem
			}
			return c.Step == "yes", nil
		}
		o.Incidents = func(i supervisor.Incident) {
			mu.Lock()
			defer mu.Unlock()
			incidents = append(incidents, i)
		}
	})
	site := startSite(t)
	asked := 0
	out := operation{script: `
		const decide = async (step, type) => {
			try { return (await decideDialog({ step, type, message: "Go on?", url: siteOrigin + "/garden" })).choice; }
			catch (e) { return e.reason; }
		};
		return [await decide("yes", "confirm"), await decide("no", "confirm"), await decide("away", "confirm"), await decide("x", "alert"), await decide("x", "beforeunload")];
	`}.execute(t, s, site.URL, func(r *supervisor.Request) {
		r.Asker = asker.Func(func(_ context.Context, r question.Request) (map[string]json.RawMessage, error) {
			asked++
			return map[string]json.RawMessage{r.Questions[0].ID: json.RawMessage(`{"confirmed":true}`)}, nil
		})
	})
	wantCompleted(t, out, `["accept","accept","unavailable","dismiss","accept"]`)
	name := judged[0].Operation
	want := []supervisor.Incident{
		{Reason: supervisor.IncidentJudged, Operation: name, Step: "yes", Dialog: "confirm"},
		{Reason: supervisor.IncidentDefault, Operation: name, Step: "x", Dialog: "alert"},
		{Reason: supervisor.IncidentDefault, Operation: name, Step: "x", Dialog: "beforeunload"},
	}
	if asked != 1 || !reflect.DeepEqual(incidents, want) {
		t.Errorf("asked %d times, incidents %+v", asked, incidents)
	}
	if first := judged[0]; len(judged) != 3 || first.Message != "Go on?" || first.Origin != site.URL {
		t.Errorf("judged %+v", judged)
	}
}
