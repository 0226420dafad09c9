package cursor

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeysAreReadFromText(t *testing.T) {
	first, second := NewKey(), NewKey()
	text := "# in use\n" + first.Text() + "\n" + base64.StdEncoding.EncodeToString(second.Secret) + "\r\n"
	keys, err := ParseKeys(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]byte{first.Secret, second.Secret}, [][]byte{keys[0].Secret, keys[1].Secret}); diff != "" {
		t.Error(diff)
	}
	again, err := ParseKeys(hex.EncodeToString(second.Secret))
	if err != nil || again[0].ID != keys[1].ID {
		t.Errorf("the id of one secret is %q and %q, %v", keys[1].ID, again[0].ID, err)
	}
}

func TestKeyTextsThatAreRefused(t *testing.T) {
	secret := strings.Repeat("ab", 32)
	for text, want := range map[string]string{
		"":                            "no secret",
		"# nothing\n\n":               "no secret",
		"\n" + secret[:62]:            "line 2 has 31 bytes",
		secret + "\nnot a secret!\n":  "line 2 is neither",
		secret + "\n" + secret:        "twice",
		strings.Repeat("x", 5) + "\n": "line 1",
	} {
		keys, err := ParseKeys(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret[:10]) {
			t.Errorf("%q: %v, %v, want an error with %q", text, keys, err, want)
		}
	}
}

func FuzzParseKeys(f *testing.F) {
	f.Add("# a\n" + NewKey().Text())
	f.Add("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n\n0x")
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := ParseKeys(text)
		if err != nil {
			return
		}
		if _, err := NewKeys(keys[0], keys[1:]...); err != nil {
			t.Fatalf("keys that cannot sign: %v", err)
		}
		again, err := ParseKeys(keys[0].Text())
		if err != nil || again[0].ID != keys[0].ID {
			t.Fatalf("%v, %v", again, err)
		}
	})
}
