package sdk_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
)

// pages answers requests by their path, or by "METHOD path"; page:path is what the run's own page would see.
type pages map[string]string

func (p pages) answer(request []byte) (sdk.HTTPAnswer, error) {
	var asked struct {
		URL, Method string
		Requires    []string
	}
	if err := json.Unmarshal(request, &asked); err != nil {
		return sdk.HTTPAnswer{}, err
	}
	at, err := url.Parse(asked.URL)
	if err != nil {
		return sdk.HTTPAnswer{}, err
	}
	transport, path := "kernel-curl", at.Path
	if strings.Contains(strings.Join(asked.Requires, " "), "page-environment") {
		transport, path = "page-fetch", "page:"+path
	}
	body, ok := p[asked.Method+" "+path]
	if !ok {
		body, ok = p[path]
	}
	head := map[string]any{"status": 200, "headers": map[string][]string{"content-type": {"text/html"}}, "transport": transport, "requestUrl": "https://shop.example" + at.String(), "gaps": []string{}}
	switch {
	case !ok:
		head["status"] = 404
	case strings.HasPrefix(body, "challenge"):
		head["challenge"] = true
	case strings.HasPrefix(body, "failure "):
		return sdk.HTTPAnswer{Head: json.RawMessage(`{"response":null,"failure":` + strings.TrimPrefix(body, "failure ") + `}`)}, nil
	}
	text, err := json.Marshal(map[string]any{"response": head, "failure": nil})
	return sdk.HTTPAnswer{Head: text, Body: []byte(body)}, err
}

var museum = pages{
	"/museum/search":     `<title>M</title><script>window.__ROOMS__ = {"query":"clock","rooms":[{"id":1,"name":"Clock Room","floor":"2"},{"id":2,"name":"Clock Store"}]};</script>`,
	"/museum/api/room/1": `{"id":1,"opens":"10:00"}`,
	"/museum/api/room/2": `{"id":2,"opens":"11:30"}`,
}

const museumAnswer = `{"rooms":[{"id":1,"name":"Clock Room","opens":"10:00"},{"id":2,"name":"Clock Store","opens":"11:30"}]}`

func TestHTTPVersionOfTheSpecification(t *testing.T) {
	source, err := os.ReadFile("../../workers/contract/testdata/examples/10-http.js")
	if err != nil {
		t.Fatal(err)
	}
	run := func(p pages) (sdk.Output, error) {
		s, _ := start(t, &host{http: p.answer}, string(source))
		return s.RunOperation(t.Context(), begin(`{"query":"clock"}`))
	}
	if out, err := run(museum); err != nil || string(out.JSON) != museumAnswer {
		t.Errorf("got %s, %v", out.JSON, err)
	}
	if out, err := run(pages{"/museum/search": `<p class="nothing"> Nothing
		found</p>`}); err != nil || string(out.JSON) != `{"rooms":[]}` {
		t.Errorf("got %s, %v", out.JSON, err)
	}
	_, err = run(pages{"/museum/search": museum["/museum/search"]})
	if e := failure(t, err); e.Tag != ipc.TagOperationFailure || e.Dispatch != ipc.DispatchSent || !strings.Contains(e.Message, "404") {
		t.Errorf("got %+v", e)
	}
	_, err = run(pages{"/museum/search": strings.Replace(museum["/museum/search"], "clock", "bell", 1)})
	if e := failure(t, err); e.Tag != ipc.TagInvalidInput || e.Detail.Field != "query" || e.Frame == "" {
		t.Errorf("got %+v", e)
	}
	_, err = run(pages{"/museum/search": `failure {"code":"transport_failed","dispatch":"not_sent","message":"it broke"}`})
	if e := failure(t, err); e.Tag != ipc.TagHTTPFailure || e.Code != "transport_failed" || e.Dispatch != ipc.DispatchNotSent || e.Message != "it broke" {
		t.Errorf("got %+v", e)
	}
}

// over runs one program of effects as the run of an HTTP version.
func over(t testing.TB, h *host, program string) (string, error) {
	t.Helper()
	s, _ := start(t, h, head+`import { Either } from "effect";
		const tagged = (effect) => effect.pipe(Effect.either, Effect.map((e) => e._tag === "Right" ? e.right : [e.left._tag, e.left.code ?? e.left.http?.class ?? e.left.reason ?? e.left.message, e.left.dispatch ?? null]));
		export default sdk.defineHttpOperation({ name: "h", input: Schema.Struct({}), output: Schema.Unknown, write: { confirmation: "readback", commits: ["pay", "send"] },
		run: (input, http) => Effect.gen(function* () {`+program+`}) });`)
	out, err := s.RunOperation(t.Context(), begin("{}"))
	return string(out.JSON), err
}

func TestReaders(t *testing.T) {
	p := pages{
		"/json": `{"n":1}`, "/text": "é", "/challenge": "challenge", "page:/challenge": "let in", "POST /challenge": "challenge", "/always": "challenge", "page:/always": "challenge",
		"/later": "<p>", "page:/later": `<script id="d">{"n":2}</script>`, "/never": "<p>", "page:/never": "<p>", "/bad": `<script id="d">{</script>`, "page:/bad": `<script id="d">{"n":3}</script>`,
	}
	for program, want := range map[string]string{
		`return (yield* http.request({ url: "/text", method: "GET" })).body instanceof Uint8Array;`:                                                                                                                              `true`,
		`return [http.siteOrigin, http.capabilities.length, sdk.SiteHttp.key];`:                                                                                                                                                  `["https://shop.example",5,"pomerado/SiteHttp"]`,
		`return (yield* sdk.readText(http, { url: "/text", method: "GET" })).text;`:                                                                                                                                              `"é"`,
		`return yield* tagged(sdk.readText(http, { url: "/none", method: "GET" }));`:                                                                                                                                             `["OperationFailure","destination_status","sent"]`,
		`return yield* tagged(sdk.readText(http, { url: "/challenge", method: "GET" }));`:                                                                                                                                        `["OperationFailure","destination_status","sent"]`,
		`return yield* sdk.readJson(http, { url: "/json", method: "GET" }, Schema.Struct({ n: Schema.Int }));`:                                                                                                                   `{"n":1}`,
		`return yield* tagged(sdk.readJson(http, { url: "/json", method: "GET" }, Schema.Struct({ n: Schema.String })));`:                                                                                                        `["OperationFailure","parsing","sent"]`,
		`return yield* tagged(sdk.readJson(http, { url: "/text", method: "GET" }, Schema.Unknown));`:                                                                                                                             `["OperationFailure","parsing","sent"]`,
		`return (yield* sdk.requestPastChallenge(http, { url: "/challenge", method: "GET" })).transport;`:                                                                                                                        `"page-fetch"`,
		`return sdk.isBotChallenge(yield* sdk.requestPastChallenge(http, { url: "/always", method: "GET" }));`:                                                                                                                   `true`,
		`return (yield* sdk.requestPastChallenge(http, { url: "/challenge", method: "POST" })).transport;`:                                                                                                                       `"kernel-curl"`,
		`return (yield* sdk.requestPastChallenge(http, { url: "/json", method: "GET" })).status;`:                                                                                                                                `200`,
		`return yield* sdk.readEmbeddedJson(http, { url: "/later", method: "GET" }, { id: "d" }, Schema.Unknown);`:                                                                                                               `{"n":2}`,
		`return yield* tagged(sdk.readEmbeddedJson(http, { url: "/never", method: "GET" }, { id: "d" }, Schema.Unknown));`:                                                                                                       `["OperationFailure","parsing","sent"]`,
		`return yield* tagged(sdk.readEmbeddedJson(http, { url: "/bad", method: "GET" }, { id: "d" }, Schema.Unknown));`:                                                                                                         `["OperationFailure","parsing","sent"]`,
		`return [sdk.embeddedJson("<p data-x='[1]'>", { attribute: "data-x" }).right, sdk.embeddedJson("<p>", { id: "x" }).left.reason];`:                                                                                        `[[1],"missing"]`,
		`const d = sdk.parseHtml("<title> a  b</title><ul><li id=x>1<li>2</ul>"); return [d.title(), d.select("li").length, d.selectOne("li").attr("ID"), d.selectOne("p") === undefined, d.selectOne("li").html()];`:            `["a b",2,"x",true,"\u003cli id=\"x\"\u003e1\u003c/li\u003e"]`,
		`return sdk.parseHtml("<p>a<p>b").select("p").map((p) => p.text()).join();`:                                                                                                                                              `"a,b"`,
		`try { sdk.parseHtml("<p>").select("p::before"); } catch (e) { return e.message.includes("p::before"); }`:                                                                                                                `true`,
		`return yield* tagged(sdk.runSupportedVariant([{ id: "a", applicability: () => Effect.succeed("not_applicable") }, { id: "b", applicability: () => Effect.succeed("applicable"), run: (i) => Effect.succeed(i) }], 5));`: `5`,
		`return yield* tagged(sdk.runSupportedVariant([{ id: "a", applicability: () => Effect.succeed("applicable") }, { id: "a", applicability: () => Effect.succeed("applicable") }], 5));`:                                    `["VariantSelectionFailed","invalid_guard",null]`,
		`return yield* tagged(sdk.runSupportedVariant([{ id: "a", applicability: () => Effect.succeed("applicable") }, { id: "b", applicability: () => Effect.succeed("applicable") }], 5));`:                                    `["VariantSelectionFailed","ambiguous",null]`,
		`return yield* tagged(sdk.runSupportedVariant([{ id: "a", applicability: () => Effect.succeed("identity_mismatch") }, { id: "b", applicability: () => Effect.die("never asked") }], 5));`:                                `["VariantSelectionFailed","identity_mismatch",null]`,
		`return yield* tagged(sdk.runSupportedVariant([{ id: "a", applicability: () => Effect.succeed("maybe") }], 5));`:                                                                                                         `["VariantSelectionFailed","invalid_guard",null]`,
		`return yield* tagged(sdk.runSupportedVariant([], 5));`:                                                                                                                                                                  `["VariantSelectionFailed","unsupported",null]`,
		`const j = yield* sdk.makeEffectJournalWith({ settledCommits: ["old"] }); yield* j.declareCommits(["a", "old"]); yield* j.enteringCommit("a"); yield* j.confirmed("message"); const then = yield* j.commits; yield* j.enteringDispatch; return [then, yield* j.state, yield* j.confirmation, yield* j.commits, yield* tagged(j.enteringCommit("old"))];`: `[[{"name":"a","state":"confirmed"},{"name":"old","state":"not_sent"}],"may_have_dispatched","none",[{"name":"a","state":"sent"},{"name":"old","state":"not_sent"}],["CommitAlreadySent","The step old was sent before and must not be sent again",null]]`,
		`const j = yield* sdk.makeEffectJournal; return [yield* j.state, yield* j.commits];`: `["not_started",[]]`,
		`const i = sdk.makeScriptInput({ seat: { type: "choice", prompt: "Which?" } }, async ({ questions, source }) => ({ seat: questions[0].options[1].id })); return yield* i.ask("seat", [{ value: "w", label: "Window" }, { value: "a", label: "Aisle" }]);`:                                  `"a"`,
		`return yield* tagged(sdk.makeScriptInput({ seat: { type: "text", prompt: "Which?" } }).ask("seat"));`:                                                                                                                                                                                     `["ScriptInputFailure","Unavailable",null]`,
		`const log = []; const d = sdk.makeNativeDialogs({ begin: (...a) => log.push(a), end: (...a) => log.push(a) }, "p"); const v = yield* d.run("a", async (o) => o.timeout); return [v, log];`:                                                                                                `[0,[["p","a"],["p","a","completed"]]]`,
		`const log = []; const d = sdk.makeNativeDialogs({ begin: () => {}, end: (...a) => log.push(a) }, "p"); const v = yield* tagged(d.run("a", async () => { throw new Error("x"); })); return [v[0], log];`:                                                                                   `["BrowserFailure",[["p","a","failed"]]]`,
		`return yield* sdk.parseSavedHttp({ state: "saved", body: "eyJuIjoxfQ==", encoding: "base64" }, Schema.Struct({ n: Schema.Int }));`:                                                                                                                                                        `{"n":1}`,
		`return [yield* tagged(sdk.parseSavedHttp({ state: "omitted" }, Schema.Unknown)), yield* tagged(sdk.parseSavedHttp({ state: "saved", body: "{" }, Schema.Unknown)), yield* tagged(sdk.parseSavedHttp({ state: "saved", body: "1", encoding: "gzip" }, Schema.Unknown))].map((e) => e[1]);`: `["missing_body","invalid_json","unsupported_encoding"]`,
		`const bound = sdk.Deadline.after(20); yield* bound.awaitExpiry; return bound.remainingMs();`:                                                                                                                                                                                              `0`,
		`const op = { name: "inner", input: Schema.Struct({ n: Schema.Int }), output: Schema.Int, run: (i) => Effect.succeed(i.n) };
			const told = []; const j = yield* sdk.makeEffectJournal;
			const services = (deadline) => ({ deadline, journal: j, events: { emit: (name) => Effect.sync(() => told.push(name)) }, capture: { start: Effect.void } });
			const run = (raw, deadline, o = op) => tagged(sdk.executeOperation(o, raw).pipe(Effect.provideService(sdk.ExecutionContext, services(deadline))));
			const never = { ...op, run: () => Effect.never };
			return [yield* run({ n: 3 }, sdk.Deadline.after(60000)), (yield* run({}, sdk.Deadline.after(60000)))[0], (yield* run({ n: 3 }, sdk.Deadline.after(20), never)), told];`: `[3,"InvalidInput",["DeadlineExceeded","The time for this operation ran out","unknown"],["operation.started","operation.output_validated","operation.started"]]`,
		`return Schema.is(sdk.SiteHttpRequest)({ url: "/", method: "GET", timeoutMs: 5 }) && !Schema.is(sdk.SiteHttpRequest)({ url: "/", method: "TRACE" });`: `true`,
	} {
		got, err := over(t, &host{http: p.answer}, program)
		var a, b any
		if err != nil {
			t.Errorf("%s: %v", program, err)
			continue
		}
		if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
			t.Fatalf("%s: %s, %s", program, got, want)
		}
		if diff := cmp.Diff(b, a); diff != "" {
			t.Errorf("%s (-want +got):\n%s", program, diff)
		}
	}
}

// The marks of an HTTP version's write reach the host, in order.
func TestHTTPVersionReportsItsWrite(t *testing.T) {
	h := &host{http: pages{"/pay": "ok"}.answer}
	program := `const { journal } = yield* sdk.ExecutionContext;
		yield* journal.enteringCommit("pay"); yield* http.request({ url: "/pay", method: "POST", body: "1", timeoutMs: Infinity, headers: { a: () => 1 } }); yield* journal.confirmed("readback");
		yield* journal.enteringDispatch; return yield* journal.state;`
	got, err := over(t, h, program)
	if err != nil || got != `"may_have_dispatched"` {
		t.Errorf("got %s, %v", got, err)
	}
	want := []string{"declare true readback [pay send]", "commit pay", `http {"url":"/pay","method":"POST","body":"1","timeoutMs":null,"headers":{"a":null}}`, "verified readback", "dispatch"}
	if diff := cmp.Diff(want, h.log); diff != "" {
		t.Error(diff)
	}
	settled := &host{commit: func(string) error { return &sdk.Refused{Code: ipc.InvalidRequest} }}
	_, err = over(t, settled, `yield* (yield* sdk.ExecutionContext).journal.enteringCommit("pay");`)
	if e := failure(t, err); e.Tag != ipc.TagCommitAlreadySent {
		t.Errorf("got %+v", e)
	}
}

// A request nobody waits for any more is ended before the operation goes on.
func TestRequestsAreCancelled(t *testing.T) {
	h := &host{http: pages{"/a": "A"}.answer}
	got, err := over(t, h, `const { journal } = yield* sdk.ExecutionContext;
		const late = yield* http.request({ url: "/endless", method: "GET" }).pipe(Effect.timeoutOption("20 millis"));
		yield* journal.enteringCommit("pay");
		const failed = yield* Effect.forEach([1, 2], (n) => n === 1 ? http.request({ url: "/endless", method: "GET" }) : Effect.fail("early"), { concurrency: 2 }).pipe(Effect.flip);
		yield* journal.enteringCommit("send");
		return [late._tag, failed];`)
	if err != nil || got != `["None","early"]` {
		t.Errorf("got %s, %v", got, err)
	}
	endless := `http {"url":"/endless","method":"GET"}`
	want := []string{"declare true readback [pay send]", endless, "cancelled", "commit pay", endless, "cancelled", "commit send"}
	if diff := cmp.Diff(want, h.log); diff != "" {
		t.Error(diff)
	}
}

func TestHowAnHTTPVersionEnds(t *testing.T) {
	for program, want := range map[string]string{
		`return yield* Effect.fail(new sdk.operationErrors.CredentialsRejected("password"));`: "CredentialsRejected|",
		`return yield* new sdk.operationErrors.OperationFailure("the shelf is empty");`:       "OperationFailure|the shelf is empty",
		`throw new TypeError("a mistake");`:                                                   "OperationFailure|a mistake",
		`return yield* Effect.fail("just words");`:                                            "OperationFailure|",
		`return () => 1;`: "InvalidOutput|",
		`return (yield* http.request({ url: "/", method: "GET" })).status;`: "HttpFailure|The request failed: the line is dead",
	} {
		_, err := over(t, &host{http: func([]byte) (sdk.HTTPAnswer, error) { return sdk.HTTPAnswer{}, errors.New("the line is dead") }}, program)
		e := failure(t, err)
		if tag, message, _ := strings.Cut(want, "|"); string(e.Tag) != tag || !strings.HasPrefix(e.Message, message) {
			t.Errorf("%s: got %s %q", program, e.Tag, e.Message)
		}
	}
	s, _ := start(t, &host{}, head+`export default { name: "plain", input: Schema.Struct({}), output: Schema.Struct({}), run: async () => ({}) };`)
	_, err := s.RunOperation(t.Context(), begin("{}"))
	if e := failure(t, err); !strings.Contains(e.Message, "Effect") {
		t.Errorf("got %+v", e)
	}
	s, _ = start(t, &host{}, head+`export default sdk.defineHttpOperation({ name: "h", input: Schema.Struct({ n: Schema.Int }), output: Schema.Struct({}), run: () => Effect.die("must not run") });`)
	_, err = s.RunOperation(t.Context(), begin(`{"n":"x"}`))
	if e := failure(t, err); e.Tag != ipc.TagInvalidInput || len(e.InputIssues) != 1 {
		t.Errorf("got %+v", e)
	}
}

// A question of an HTTP version goes the way a script's goes.
func TestHTTPVersionAsks(t *testing.T) {
	s, _ := start(t, &host{answers: map[string]any{"seat": "o2"}}, head+`export default sdk.defineHttpOperation({ name: "h", input: Schema.Struct({}), output: Schema.String,
		questions: { seat: { type: "choice", prompt: "Which?" } },
		run: () => Effect.flatMap(sdk.ScriptInput, ({ ask }) => ask("seat", [{ value: "w", label: "Window" }, { value: "a", label: "Aisle" }])) });`)
	out, err := s.RunOperation(t.Context(), begin("{}"))
	if err != nil || string(out.JSON) != `"a"` {
		t.Errorf("got %s, %v", out.JSON, err)
	}
}
