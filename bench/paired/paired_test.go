package paired_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/bench/paired"
)

func TestSidesTakeTurnsAndTheFirstRoundIsDropped(t *testing.T) {
	var turns strings.Builder
	side := func(name string) paired.Side {
		n := 0.0
		return paired.Side{Name: name, Once: func(context.Context) (map[string]float64, error) {
			turns.WriteString(name)
			n++
			return map[string]float64{"ms": n}, nil
		}}
	}
	all, err := paired.Run(t.Context(), 3, side("a"), side("b"))
	if err != nil {
		t.Fatal(err)
	}
	if turns.String() != "abababab" {
		t.Errorf("turns were %s", turns.String())
	}
	if got := paired.Median(all[1]["ms"]); got != 3 {
		t.Errorf("median of 2, 3, 4 is %v", got)
	}
	if got := paired.Median([]float64{4, 1}); got != 2.5 {
		t.Errorf("median of 4, 1 is %v", got)
	}
}

func TestAFailedRoundNamesItsSide(t *testing.T) {
	broken := paired.Side{Name: "node", Once: func(context.Context) (map[string]float64, error) { return nil, errors.New("gone") }}
	if _, err := paired.Run(t.Context(), 1, broken); err == nil || err.Error() != "round 0 of node: gone" {
		t.Errorf("got %v", err)
	}
}

func TestABoundThatIsNotKeptIsSaid(t *testing.T) {
	figures := func(v float64) paired.Figures { return paired.Figures{"ms": {v}} }
	var out strings.Builder
	row := paired.Row{Figure: "ms", Unit: "ms", Ours: figures(5), Theirs: figures(10), AgainstName: "node", Most: 0.5}
	if !paired.Print(&out, row) {
		t.Errorf("0.5 is not within 0.5:\n%s", &out)
	}
	row.Ours = figures(5.1)
	if paired.Print(&out, row) || !strings.Contains(out.String(), "OVER") {
		t.Errorf("0.51 is within 0.5:\n%s", &out)
	}
	row.Ours = nil
	if paired.Print(&out, row) {
		t.Errorf("no figures keep a bound")
	}
}
