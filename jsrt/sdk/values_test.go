package sdk_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answers evaluates expressions in the body of a script and compares what each gives with what is wanted, as JSON.
func answers(t *testing.T, setup string, table map[string]string) {
	t.Helper()
	code := setup + "\nconst out = {};\nconst said = (f) => { try { return f(); } catch (e) { return `${e.name}: ${e.message}`; } };\n"
	for expression := range table {
		key, err := json.Marshal(expression)
		if err != nil {
			t.Fatal(err)
		}
		code += "out[" + string(key) + "] = said(() => (" + expression + "));\n"
	}
	text, err := body(t, &host{}, "", code+"return out;")
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	for expression, want := range table {
		if diff := cmp.Diff(want, string(got[expression])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", expression, diff)
		}
	}
}

func TestNormalizeText(t *testing.T) {
	answers(t, "const { normalizeText } = sdk;", map[string]string{
		`normalizeText("  a \t b\u00a0\u3000c ")`:                          `"a b c"`,
		`normalizeText("a\r\nb\rc\u2028d\u2029e\u0085f\n\n g")`:            `"a b c d e f g"`,
		`normalizeText("a\r\n\n b ", { lines: true })`:                     `"a\nb"`,
		`normalizeText("so\u00adft\u200bly\u2060 \ufeffx")`:                `"softly x"`,
		`normalizeText("a\u200cb\u200dc").length`:                          `5`,
		`normalizeText("\u1680a\u2000\u200a\u202f\u205fb\v\fc")`:           `"a b c"`,
		`normalizeText("") + "|" + normalizeText("\n\n", { lines: true })`: `"|"`,
	})
}

func TestCalendarDate(t *testing.T) {
	answers(t, "const is = Schema.is(sdk.CalendarDate);", map[string]string{
		`is("2026-02-28")`: "true", `is("2026-02-29")`: "false", `is("2024-02-29")`: "true", `is("1900-02-29")`: "false", `is("0004-02-29")`: "true", `is("2026-13-01")`: "false",
		`is("2026-00-10")`: "false", `is("2026-1-01")`: "false", `is(" 2026-01-01")`: "false", `is("2026-04-31")`: "false", `is(20260101)`: "false", `is("2026-01-01\n")`: "false",
		`JSON.stringify(sdk.contractJsonSchema(sdk.CalendarDate))`: `"{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"string\",\"format\":\"date\",\"pattern\":\"^\\\\d{4}-\\\\d{2}-\\\\d{2}$\"}"`,
	})
}

func TestContractJSONSchema(t *testing.T) {
	answers(t, "const json = (s) => { const { $schema, ...rest } = sdk.contractJsonSchema(s); return rest; };", map[string]string{
		`json(Schema.Struct({}))`: `{"type":"object","required":[],"properties":{},"additionalProperties":false}`,
		`json(Schema.Struct({ a: Schema.Struct({}).annotations({ description: "nothing" }) }))`: `{"type":"object","required":["a"],"properties":{"a":{"description":"nothing","type":"object","required":[],"properties":{},"additionalProperties":false}},"additionalProperties":false}`,
		`json({ type: "object", properties: { a: { $id: "/schemas/%7B%7D", anyOf: [] } } })`:    `{"type":"object","properties":{"a":{"type":"object","required":[],"properties":{},"additionalProperties":false}}}`,
		`json(sdk.FileInput)`: `{"type":"string","description":"A file given to the tool","title":"File","minLength":1,"format":"file"}`,
		`json(Schema.Struct({ n: sdk.defaultedInput(Schema.Int, 5) })).properties.n`:            `{"type":"integer","description":"an integer","title":"int","default":5}`,
		`Schema.decodeUnknownSync(Schema.Struct({ n: sdk.defaultedInput(Schema.Int, 5) }))({})`: `{"n":5}`,
		`json(Schema.Struct({ ...sdk.listInputFields })).properties.limit.maximum`:              `50`,
		`said(() => sdk.contractJsonSchema(5))`:                                                 `"TypeError: contractJsonSchema's argument is not a schema; use Schema.Struct({…}) from \"effect\" or a JSON Schema object"`,
		`Object.keys(sdk.listOutputFields)`:                                                     `["next_cursor","next_cursor_expires_at","has_more","total_results","list_changed","next_cursor_unavailable"]`,
	})
}

func TestFileOutputShape(t *testing.T) {
	answers(t, `const is = Schema.is(sdk.FileOutput); const file = (more) => ({ $file: { id: "1", name: "a.pdf", media_type: "application/pdf", size: 3, sha256: "a".repeat(64), ...more } });`, map[string]string{
		`is(file())`: "true", `is(file({ download_url: "https://a", expires_at: "x" }))`: "true", `is({ $file: {} })`: "false", `is(file({ id: "" }))`: "false", `is(file({ size: -1 }))`: "false",
		`is(file({ size: 1.5 }))`: "false", `is(file({ sha256: "A".repeat(64) }))`: "false", `is(file({ name: "a/b" }))`: "false", `is(file({ name: ".." }))`: "false", `is(file({ name: "a\u0000b" }))`: "false",
		`is(file({ name: "x".repeat(256) }))`: "false", `is(file({ media_type: "Application/PDF" }))`: "false", `is(file({ media_type: "pdf" }))`: "false", `is(file({ media_type: "image/svg+xml" }))`: "true",
	})
}

func TestDeadline(t *testing.T) {
	answers(t, `const { Deadline } = sdk; let now = 1000; const clock = () => now;
		const run = (f) => { now = 1000; return f(); };`, map[string]string{
		`run(() => { const d = Deadline.after(500, clock); now += 200; return [d.remainingMs(), d.expiresAt]; })`:                                                                                                `[300,1500]`,
		`run(() => { const d = Deadline.after(500, clock); now += 600; return d.remainingMs(); })`:                                                                                                               `0`,
		`run(() => { const d = Deadline.after(500, clock); const go = d.suspend(); now += 1000; const held = d.remainingMs(); go(); go(); now += 100; return [held, d.remainingMs()]; })`:                        `[500,400]`,
		`run(() => { const d = Deadline.after(500, clock); const a = d.suspend(), b = d.suspend(); now += 100; a(); now += 100; const held = d.remainingMs(); b(); now += 1; return [held, d.remainingMs()]; })`: `[500,499]`,
		`run(() => { const d = Deadline.after(500, clock); const c = d.child(200); const go = d.suspend(); now += 900; go(); now += 50; return [c.remainingMs(), d.remainingMs()]; })`:                           `[150,450]`,
		`run(() => { const d = Deadline.after(100, clock); return d.child(1000).remainingMs(); })`:                                                                                                               `100`,
		`run(() => { const d = Deadline.after(500, clock); const go = d.suspend(); const c = d.child(200); now += 50; go(); now += 50; return c.remainingMs(); })`:                                               `150`,
		`run(() => Deadline.after(500, clock).limitTo(Deadline.after(300, clock)).remainingMs())`:                                                                                                                `300`,
		`Deadline.after() instanceof Deadline`: `true`,
		`Deadline.after(0)`:                    `"RangeError: a deadline takes a positive number of milliseconds"`,
		`Deadline.after(Infinity)`:             `"RangeError: a deadline takes a positive number of milliseconds"`,
	})
}

func TestErrorClasses(t *testing.T) {
	answers(t, "const { operationErrors: e } = sdk;", map[string]string{
		`[new e.OperationFailure("m") instanceof Error, new e.OperationFailure("m").name, new e.OperationFailure("m")._tag, e.OperationFailure.name]`: `[true,"OperationFailure","OperationFailure","OperationFailure"]`,
		`new e.OperationFailure("m", { stderr: "line 1" }).cause.stack`:                                                                               `"line 1"`,
		`new e.OperationFailure("x".repeat(5000)).message.length`:                                                                                     `4096`,
		`new e.OperationFailure("m", { dispatch: "maybe" }).dispatch`:                                                                                 `"unknown"`,
		`new e.InvalidInput("m", { available: Array.from({ length: 200 }, (_, i) => "v" + i) }).available.length`:                                     `100`,
		`e.InvalidInput === sdk.InvalidInput`:                                                                                                         `false`,
		`new sdk.InvalidInput({ operation: "o", issues: [{ path: "", issue: "missing" }] }).message`:                                                  `"The input of o does not fit its schema: the input is missing"`,
		`said(() => new e.CredentialsRejected("pin"))`:                                                                                                `"TypeError: CredentialsRejected takes one of username, email, phone, account_number, password, code, date_of_birth, zip, recovery_code"`,
		`new sdk.TargetAmbiguous({ count: 3 }).count`:                                                                                                 `3`,
		`new sdk.TargetNotFound()._tag`:                                                                                                               `"TargetNotFound"`,
		`new sdk.CommitAlreadySent({ name: "pay" }).name`:                                                                                             `"pay"`,
		`Effect.runSync(Effect.gen(function* () { yield* new e.OperationFailure("m"); }).pipe(Effect.catchTag("OperationFailure", (x) => Effect.succeed(x.message))))`: `"m"`,
		`Object.keys(e).sort().join()`: `"ChallengeFailure,CredentialsRejected,InputNotApplied,InvalidInput,LocationNotApplied,OperationFailure"`,
	})
}
