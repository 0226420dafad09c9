package sdk_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
)

func TestFilesArePlacedAndCollectedByTheHost(t *testing.T) {
	h := &host{}
	got := answered(t, h, "", `
		const placed = [];
		for (const field of [{ label: "Receipt" }, { label: "Receipt", exact: true }, { selector: "#f" }, "input[type=file]", "page.getByLabel('Receipt')"])
			placed.push(await files.place("file:///a.pdf", { field, timeoutSec: 20 }));
		const file = await files.collect(async () => { await execute("click"); }, { timeoutMs: 5000 });
		return { last: placed.at(-1), file };`)
	want := map[string]any{
		"last": map[string]any{"name": "a.pdf", "media_type": "application/pdf", "size": 5.0},
		"file": map[string]any{"$file": map[string]any{"id": "1"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	log := []string{
		"declare false  []", "dispatch",
		"place file:///a.pdf {Label:Receipt Exact:false Selector: Code:} 20s", "place file:///a.pdf {Label:Receipt Exact:true Selector: Code:} 20s",
		"place file:///a.pdf {Label: Exact:false Selector:#f Code:} 20s", "place file:///a.pdf {Label: Exact:false Selector:input[type=file] Code:} 20s",
		"place file:///a.pdf {Label: Exact:false Selector: Code:page.getByLabel('Receipt')} 20s",
		"arm", "execute click 1m0s", "executed", "collect slot-1 5s",
	}
	if diff := cmp.Diff(log, h.log); diff != "" {
		t.Error(diff)
	}
}

func TestARefusedFileEndsTheRunWithItsReason(t *testing.T) {
	refusal := &sdk.Refused{Code: ipc.FileRefused("too_large"), Message: "the file is larger than 25 MiB"}
	for name, code := range map[string]string{
		"place":   `await files.place("file:///a.pdf", { field: { label: "Receipt" } });`,
		"collect": `await files.collect(() => {});`,
	} {
		_, err := body(t, &host{fileError: refusal}, "", code)
		e := failure(t, err)
		if e.Tag != ipc.TagOperationFailure || e.Code != "FileRefused:too_large" || e.Dispatch != ipc.DispatchUnknown || e.Message != "The file was refused: the file is larger than 25 MiB" {
			t.Errorf("%s: %+v", name, e)
		}
	}
	got := answered(t, &host{fileError: refusal}, "", `
		try { await files.collect(() => {}); } catch (e) { return [e instanceof errors.OperationFailure, e.cause._tag, e.cause.reason]; }`)
	if diff := cmp.Diff([]any{true, "FileRefused", "too_large"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFilesCheckWhatTheyAreGiven(t *testing.T) {
	h := &host{}
	got := answered(t, h, "", `
		const field = { label: "x" };
		const tries = [
			() => files.place("", { field }), () => files.place("x".repeat(2049), { field }), () => files.place(7, { field }), () => files.place("file:///a"),
			() => files.place("file:///a", { field: { label: "" } }), () => files.place("file:///a", { field: { label: "a", selector: "b" } }), () => files.place("file:///a", { field: {} }),
			() => files.place("file:///a", { field, timeoutSec: 0 }), () => files.place("file:///a", { field, timeoutSec: 301 }),
			() => files.collect(), () => files.collect(() => {}, { timeoutMs: -1 }), () => files.collect(() => {}, { timeoutMs: 300001 }),
		];
		const out = [];
		for (const one of tries) out.push((await caught(one)).split("|")[0]);
		return out;`)
	for i, name := range got.([]any) {
		if name != "TypeError" {
			t.Errorf("try %d gave %v", i, name)
		}
	}
	if diff := cmp.Diff([]string{"declare false  []", "dispatch"}, h.log); diff != "" {
		t.Error(diff)
	}
}
