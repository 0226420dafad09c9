package sdk_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/jsrt/sdk"
)

func TestStartList(t *testing.T) {
	answers(t, `const { startList } = sdk; const host = Symbol.for("pomerado.list.host");
		const start = (input, mechanism = "pages") => { const { seen, ...rest } = startList(input, { mechanism }); return { ...rest, seen: [...seen] }; };
		const refused = (f) => { try { return f(); } catch (e) { return [e._tag, e.field, e.kind, /without a cursor/.test(e.message)]; } };
		const position = { m: "pages", pos: { page: 2, offset: 3 }, n: 20, a: "D3GbHzpC", s: ["D3GbHzpC"], cx: "AAAAAAAA" };`, map[string]string{
		`start({})`:                                                              `{"limit":20,"mechanism":"pages","returned":0,"signed":false,"seen":[]}`,
		`start({ limit: 0 }).limit`:                                              `1`,
		`start({ limit: 500 }).limit`:                                            `50`,
		`start({ limit: 7.5 }).limit`:                                            `20`,
		`start({ cursor: "" , [host]: {} }).signed`:                              `true`,
		`start({ cursor: null }).returned`:                                       `0`,
		`start({ cursor: "pc1.x", [host]: { position } })`:                       `{"limit":20,"mechanism":"pages","returned":20,"signed":true,"position":{"page":2,"offset":3},"anchor":"D3GbHzpC","context":"AAAAAAAA","seen":["D3GbHzpC"]}`,
		`start({ [host]: { position } }).position === undefined`:                 `true`,
		`refused(() => start({ cursor: "pc1.x" }))`:                              `["InvalidInput","cursor","malformed",true]`,
		`refused(() => start({ cursor: "pc1.x", [host]: { position } }, "api"))`: `["InvalidInput","cursor","mechanism_changed",true]`,
		`startList({}, {})`:                                                      `"TypeError: startList takes {mechanism}, one of pages, next_link, append, scroll, api, offset"`,
	})
}

func TestSelectRows(t *testing.T) {
	answers(t, `const { startList, selectRows, finishList } = sdk; const host = Symbol.for("pomerado.list.host");
		const draftOf = (keys, options = {}) => { const at = { ...startList({ [host]: {} }, { mechanism: "pages" }), limit: 50 };
			const text = finishList(at, { rows: keys, keyOf: String, next: { page: 2, offset: 0, ...options.pos }, hasMore: true, totalResults: null, listChanged: false, context: options.context }).next_cursor;
			return JSON.parse(atob(text.slice(5).replace(/-/g, "+").replace(/_/g, "/"))); };
		const after = (keys, rows, options = {}) => { const list = startList({ cursor: "x", [host]: { position: draftOf(keys, options) } }, { mechanism: "pages" });
			const { rows: found, listChanged } = selectRows(list, rows, String, options.now === undefined ? {} : { context: options.now }); return [found.join(), listChanged]; };
		const plain = startList({}, { mechanism: "pages" });`, map[string]string{
		`selectRows(plain, ["a", "b", "a"], String)`:                                 `{"rows":["a","b"],"listChanged":false}`,
		`after(["a", "b"], ["a", "b", "c"])`:                                         `["c",false]`,
		`after(["a", "b"], ["c"])`:                                                   `["c",true]`,
		`after(["a", "b"], ["c"], { pos: { token: "t" } })`:                          `["c",false]`,
		`after(["a", "b"], ["x", "a", "c"])`:                                         `["c",true]`,
		`after(["a", "b"], ["b", "c", "a"])`:                                         `["c",true]`,
		`after(["a", "b"], ["b", "c", "b", "d"])`:                                    `["d",false]`,
		`after(["a"], ["b"], { pos: { token: "t" }, context: "maps", now: "maps" })`: `["b",false]`,
		`after(["a"], ["a", "b"], { context: "maps", now: "globes" })`:               `["b",true]`,
		`said(() => selectRows(plain, [""], String))`:                                `"OperationFailure: A row of the list has no key; keyOf must give each row a text of its own"`,
		`draftOf(["row-1"]).a`:                                                       `"D3GbHzpC"`,
		`draftOf(["ö😀"]).a`:                                                          `"` + digestOf("ö😀") + `"`,
		`draftOf(["` + strings.Repeat("x", 130) + `"]).a`:                            `"` + digestOf(strings.Repeat("x", 130)) + `"`,
		`draftOf(Array.from({ length: 20 }, (_, i) => "r" + i)).s.length`:            `16`,
	})
}

func TestFinishList(t *testing.T) {
	answers(t, `const { startList, finishList } = sdk; const host = Symbol.for("pomerado.list.host");
		const at = (position, limit) => startList({ limit, ...(position ? { cursor: "x" } : {}), [host]: position ? { position: { m: "pages", n: 5, s: [], ...position } } : {} }, { mechanism: "pages" });
		const finish = (list, given) => finishList(list, { rows: [], keyOf: String, next: null, hasMore: false, totalResults: null, listChanged: false, ...given });
		const why = (next, list = at(), rows = ["a"]) => { const f = finish(list, { rows, next }); return [f.next_cursor === null, f.has_more, f.next_cursor_unavailable ?? "none"].join(); };`, map[string]string{
		`finish(at(), { totalResults: 7 })`:                                                          `{"next_cursor":null,"next_cursor_expires_at":null,"has_more":false,"total_results":7,"list_changed":false}`,
		`finish(at(), { hasMore: true }).has_more`:                                                   `true`,
		`finish(at(), { totalResults: 1.5 }).total_results`:                                          `null`,
		`atob(finish(at(), { rows: ["row-1"], next: { page: 2, offset: 0 } }).next_cursor.slice(5))`: `"{\"m\":\"pages\",\"pos\":{\"page\":2,\"offset\":0},\"n\":1,\"a\":\"D3GbHzpC\",\"s\":[\"D3GbHzpC\"]}"`,
		`why({ offset: 0, page: 10 })`:                                                               `"false,true,none"`,
		`why({ offset: 0, page: 11 })`:                                                               `"true,true,depth_cap"`,
		`why({ offset: 0, steps: 21 })`:                                                              `"true,true,depth_cap"`,
		`why({ offset: 0, page: 11, href: "https://a/" })`:                                           `"false,true,none"`,
		`why({ offset: 0, token: "x".repeat(513) })`:                                                 `"true,true,position_too_long"`,
		`why({ offset: 0, href: "https://a/" + "x".repeat(1024) })`:                                  `"true,true,position_too_long"`,
		`why({ offset: 0, scope: "é".repeat(200), href: "h".repeat(900) })`:                          `"true,true,position_too_long"`,
		`why({ offset: 0 }, startList({}, { mechanism: "pages" }))`:                                  `"true,true,unsigned_host"`,
		`why({ page: 2, offset: 0 }, at({ pos: { page: 2, offset: 0 } }), [])`:                       `"true,true,no_progress"`,
		`why({ page: 3, offset: 0 }, at({ pos: { page: 2, offset: 0 } }), [])`:                       `"false,true,none"`,
		`said(() => why({ page: 0, offset: 0 }))`:                                                    `"OperationFailure: The next position of the list is wrong: page must be a whole number from 1 to 100000"`,
		`said(() => why({ page: 2 }))`:                                                               `"OperationFailure: The next position of the list is wrong: offset must be a whole number from 0 to 100000"`,
		`said(() => finish(at(undefined, 1), { rows: ["a", "b"] }))`:                                 `"OperationFailure: The list returns 2 rows although 1 were asked for"`,
	})
}

// A reader of another make: pages of three with a token, the whole of readList but for the page.
func TestReadListGoesOnWhereItStopped(t *testing.T) {
	const source = head + `
const all = Array.from({ length: 11 }, (_, i) => ({ id: "r" + i }));
export default defineOperation({ name: "t", input: {}, output: {} }, async ({ input }) => {
	const asked = [];
	const at = (n, rows) => ({ rows: all.slice(3 * n, 3 * n + 3).slice(0, rows), at: { token: "t" + n }, more: rows < Math.min(3, all.length - 3 * n), next: 3 * n + 3 < all.length, total: n === 0 ? 11 : null });
	let n = 0;
	const reader = {
		key: (row) => row.id,
		open: async ({ position, rows }) => { asked.push("open " + rows); n = position === undefined ? 0 : Number(position.token.slice(1)); return at(n, rows); },
		more: async ({ have, rows }) => { asked.push("more " + have + " " + rows); const all = at(n, have + rows); return { ...all, rows: all.rows.slice(have) }; },
		next: async ({ rows }) => { asked.push("next " + rows); n += 1; return at(n, rows); },
	};
	const { rows, fields } = await sdk.readList(sdk.startList(input, { mechanism: "api" }), reader);
	return { rows: rows.map((row) => row.id).join(), asked: asked.join(), ...fields };
});`
	s, rt := start(t, &host{}, source)
	_ = rt
	var lists sdk.Lists
	var got []string
	for range 3 {
		input := `{"limit":4}`
		if lists.Position != nil {
			input = `{"limit":4,"cursor":"given"}`
		}
		out, err := s.RunOperation(context.WithoutCancel(t.Context()), sdk.Start{Input: json.RawMessage(input), SessionID: "s", Lists: &lists})
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Rows    string  `json:"rows"`
			Asked   string  `json:"asked"`
			Next    *string `json:"next_cursor"`
			Changed bool    `json:"list_changed"`
			Total   *int    `json:"total_results"`
		}
		if err := json.Unmarshal(out.JSON, &page); err != nil {
			t.Fatal(err)
		}
		got = append(got, page.Rows+" | "+page.Asked)
		if page.Changed {
			t.Errorf("%s: the list is said to have changed", page.Rows)
		}
		if page.Next != nil {
			lists.Position = decoded(t, strings.TrimPrefix(*page.Next, "pcd1."))
		}
	}
	want := []string{"r0,r1,r2,r3 | open 4,next 1", "r4,r5,r6,r7 | open 5,next 2", "r8,r9,r10 | open 6,next 3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func decoded(t testing.TB, encoded string) json.RawMessage {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:8]
}
