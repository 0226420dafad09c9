package sdk_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
	"github.com/pomerado-go/pomerado/workers/contract"
)

var update = flag.Bool("update", false, "write exports.txt from what the modules export")

// script is the SDK as a contract worker bundles it.
func script(t testing.TB) []byte {
	t.Helper()
	script, err := contract.SDK()
	if err != nil {
		t.Fatal(err)
	}
	return script
}

func newRuntime(t testing.TB) *jsrt.Runtime {
	t.Helper()
	rt := jsrt.New(t.Context(), jsrt.Options{Name: "test.js"})
	t.Cleanup(rt.Close)
	return rt
}

// eval runs an expression in a runtime with the SDK loaded and gives its text.
func eval(t testing.TB, rt *jsrt.Runtime, source string) string {
	t.Helper()
	var out string
	if err := rt.Do(t.Context(), func(vm *goja.Runtime) error {
		program, err := jsrt.Compile("test.js", source, nil)
		if err != nil {
			return err
		}
		v, err := rt.RunProgram(vm, program)
		if err == nil {
			out = v.String()
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// The list that imports are checked against is what the modules have, no more and no less.
func TestExportsAreListed(t *testing.T) {
	rt := newRuntime(t)
	if _, err := sdk.Load(t.Context(), rt, script(t), nil); err != nil {
		t.Fatal(err)
	}
	got := eval(t, rt, `
		const sdk = globalThis.__pomerado_sdk__;
		const lines = [];
		const add = (spec, module) => lines.push(spec + ": " + Object.keys(module).sort().join(" "));
		add("pomerado/runtime", sdk.runtime);
		add("pomerado/runtime schemas", sdk.schemaExports(sdk.effect.Schema));
		add("pomerado/runtime effects", sdk.effectExports(sdk.effect));
		add("effect", sdk.effect);
		for (const [name, value] of Object.entries(sdk.effect)) if (typeof value === "object") add("effect/" + name, value);
		lines.sort().join("\n") + "\n"`)
	if *update {
		if err := os.WriteFile("exports.txt", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile("exports.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("exports.txt is not what the modules export; run the test with -update (-listed +exported):\n%s", diff)
	}
}

// Every name that the interface specification lists as a run-time export of pomerado/runtime, and Schema, which is ours.
var specified = strings.Fields(`
	Schema defineOperation defineHttpOperation executeOperation contractJsonSchema OperationFailure operationErrors runSupportedVariant
	ExecutionContext makeEffectJournal makeEffectJournalWith Deadline timeoutDefaults
	waitCode outcomeWaitCode formControlsCode visibleTextCode paginationCode normalizeText CalendarDate
	listLimitDefault listLimitMax listCursorTtlMs listCallBounds listDepth ListMechanism CursorRefusal ListPosition listInputFields
	listOutputFields startList selectRows finishList readList pagedListReader
	InvalidInput InvalidOutput ChallengeFailure ScriptInputFailure DialogFailure WriteConfirmationRefused CommitAlreadySent
	DeadlineExceeded FileRefused HttpFailure EmbeddedJsonFailure VariantSelectionFailed WebsiteAuthenticationFailed BrowserFailure
	ConditionTimeout TargetPageMismatch TargetNotFound TargetAmbiguous TargetGuardMismatch TargetGuardUnavailable CaptureUnavailable
	EventUnavailable FixtureUnavailable OfflineFixtureUnavailable OfflineTrafficDenied
	ScriptInput makeScriptInput NativeDialogs makeNativeDialogs FileInput FileOutput defaultFileLimits SiteHttp SiteHttpRequest readText
	readJson requestPastChallenge isBotChallenge parseHtml embeddedJson readEmbeddedJson parseSavedHttp SavedHttpFixtures
	SavedCaptureEvidence defaultedInput`)

func TestExportsAreTheSpecified(t *testing.T) {
	got := slices.Sorted(slices.Values(sdk.Exports()["pomerado/runtime"]))
	want := slices.Sorted(slices.Values(specified))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pomerado/runtime (-specified +exported):\n%s", diff)
	}
}
