package sitehttp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/supervisor/sitehttp"
)

// jar holds cookies as CDP words them.
type jar struct {
	mu   sync.Mutex
	has  string
	kept []map[string]any
}

func (j *jar) Cookies(context.Context) (json.RawMessage, error) { return json.RawMessage(j.has), nil }

func (j *jar) SetCookies(_ context.Context, cookies json.RawMessage) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	var list []map[string]any
	if err := json.Unmarshal(cookies, &list); err != nil {
		return err
	}
	j.kept = append(j.kept, list...)
	return nil
}

func TestCookiesOfTheContextAreSent(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header.Get("Cookie")) })
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header.Get("Cookie")) })
	cookie := func(name, domain, path, more string) string {
		return fmt.Sprintf(`{"name":%q,"value":"1","domain":%q,"path":%q%s}`, name, domain, path, more)
	}
	j := &jar{has: "[" + strings.Join([]string{
		cookie("root", "127.0.0.1", "/", ""), cookie("shop", "127.0.0.1", "/shop", ""), cookie("shopping", "127.0.0.1", "/shopp", ""),
		cookie("elsewhere", "shop.example", "/", ""), cookie("secure", "127.0.0.1", "/", `,"secure":true,"sameSite":"None"`),
		cookie("framed", "127.0.0.1", "/", `,"partitionKey":{"topLevelSite":"https://a.example"}`), cookie("", "127.0.0.1", "/", ""),
		cookie("below", ".0.0.1", "/", ""),
	}, ",") + "]"}
	f := open(t, at, func(o *sitehttp.Options) { o.Cookies = j })
	for path, want := range map[string]string{
		"/":        "root=1; secure=1; 1",
		"/shop/a":  "shop=1; root=1; secure=1; 1",
		"/shopper": "shopping=1; root=1; secure=1; 1",
	} {
		if path == "/shopper" {
			want = "root=1; secure=1; 1" // /shopp is no folder of /shopper
		}
		if r := f.want(t, ask{"url": path, "method": "GET"}); string(r.Body) != want {
			t.Errorf("%s: got %q, want %q", path, r.Body, want)
		}
	}
	if r := f.want(t, ask{"url": "/", "method": "GET", "headers": ask{"cookie": "own=2"}}); string(r.Body) != "root=1; secure=1; 1; own=2" {
		t.Errorf("with its own: %q", r.Body)
	}
	// Another port is another origin, and for a site without a domain another site: only what says so goes there.
	if r := f.want(t, ask{"url": other + "/", "method": "GET"}); string(r.Body) != "secure=1" {
		t.Errorf("to another site went %q", r.Body)
	}
}

func TestCookiesOfAnswersAreKept(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for _, line := range []string{
			"plain=1", "path=1; Path=/a; HttpOnly; SameSite=Lax", "gone=1; Max-Age=0", "old=1; Expires=Thu, 01 Jan 1970 00:00:01 GMT",
			"own=1; Domain=127.0.0.1", "foreign=1; Domain=shop.example", "none=1; SameSite=None", "__Host-x=1; Path=/", "__Secure-x=1",
			"__Host-y=1; Secure; Path=/", "safe=1; Secure; SameSite=Strict",
		} {
			w.Header().Add("Set-Cookie", line)
		}
	})
	j := &jar{has: "[]"}
	f := open(t, at, func(o *sitehttp.Options) { o.Cookies = j })
	f.want(t, ask{"url": "/deep/page", "method": "GET"})
	var got []string
	for _, c := range j.kept {
		if c["url"] != at+"/" {
			t.Errorf("%v is for %v", c["name"], c["url"])
		}
		delete(c, "url")
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	want := []string{
		`{"name":"plain","path":"/deep","value":"1"}`,
		`{"httpOnly":true,"name":"path","path":"/a","sameSite":"Lax","value":"1"}`,
		`{"expires":1,"name":"gone","path":"/deep","value":"1"}`,
		`{"expires":1,"name":"old","path":"/deep","value":"1"}`,
		`{"name":"own","path":"/deep","value":"1"}`,
		`{"name":"__Host-y","path":"/","secure":true,"value":"1"}`,
		`{"name":"safe","path":"/deep","sameSite":"Strict","secure":true,"value":"1"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
