package mask_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/operations/mask"
)

const canary = `  pa'ss "w/ord"+é ?&x=1%  `

func TestEveryFormOfAValueIsMasked(t *testing.T) {
	var v mask.Values
	v.Add(canary)
	trimmed := strings.TrimSpace(canary)
	quoted, err := json.Marshal(trimmed)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(mask.Forms(canary),
		canary, trimmed, string(quoted), url.QueryEscape(trimmed), url.PathEscape(trimmed), strings.ToLower(url.PathEscape("é"))+trimmed,
		base64.StdEncoding.EncodeToString([]byte(trimmed)), base64.RawURLEncoding.EncodeToString([]byte(canary)), hex.EncodeToString([]byte(trimmed)),
	) {
		got := v.Text("before " + text + " after")
		if strings.Contains(got, trimmed) || !strings.Contains(got, mask.Private) {
			t.Errorf("%q leaves as %q", text, got)
		}
		if !strings.HasPrefix(got, "before") || !strings.HasSuffix(got, "after") {
			t.Errorf("%q takes its neighbours along: %q", text, got)
		}
	}
}

func TestTheLongestValueIsMaskedFirstAndACutOneToo(t *testing.T) {
	var v mask.Values
	v.Add("hunter2")
	forget := v.Add("hunter2-and-more")
	if got := v.Text("it was hunter2-and-more, then hunter2"); got != "it was [private], then [private]" {
		t.Errorf("got %q", got)
	}
	if got := v.Text("it was hunter2-and-mo"); got != "it was [private]" {
		t.Errorf("a cut value leaves as %q", got)
	}
	forget()
	forget()
	if got := v.Text("hunter2-and-more"); got != "[private]-and-more" {
		t.Errorf("after it was forgotten: %q", got)
	}
	var none mask.Values
	if got := none.Text("hunter2"); got != "hunter2" {
		t.Errorf("nothing given: %q", got)
	}
	none.Add("   ")
	if got := none.Text("a b"); got != "a b" {
		t.Errorf("white space given: %q", got)
	}
}

func FuzzNoFormOfAValueLeaves(f *testing.F) {
	f.Add("correct horse", "said ", " in it")
	f.Add(canary, "%2", "%")
	f.Add("aaab", "a", "ab")
	f.Add("private", "[", "]")
	f.Fuzz(func(t *testing.T, value, before, after string) {
		if len(strings.TrimSpace(value)) < 4 || strings.Contains(mask.Private, strings.TrimSpace(value)) {
			t.Skip("a value that its own mask holds cannot be masked")
		}
		var v mask.Values
		v.Add(value)
		for _, form := range mask.Forms(value) {
			if strings.Contains(mask.Private, form) {
				continue
			}
			if got := v.Text(before + form + after); strings.Contains(got, form) {
				t.Errorf("%q leaves in %q as %q", value, before+form+after, got)
			}
		}
	})
}
