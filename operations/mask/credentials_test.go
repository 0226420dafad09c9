package mask_test

import (
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/operations/mask"
)

func TestCredentialsAreKnownByTheirShape(t *testing.T) {
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
	for text, want := range map[string]string{
		"see https://user:pass@example.com/?token=abc&password=x1 here":           "see https://user:pass@example.com/?token=abc&password=x1 here",
		"a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b": "a [redacted_private_key] b",
		"-----BEGIN PRIVATE KEY-----\nMIIE":                                       "[redacted_private_key]",
		`{"SecretString":"a\"b"}`:                                                 `{"SecretString":"[redacted]"}`,
		`{"Authorization": "Bearer abc.def"}`:                                     `{"Authorization": "[redacted]"}`,
		`{"cookie":"required"}`:                                                   `{"cookie":"required"}`,
		"Authorization: Bearer abc123.def":                                        "Authorization: Bearer [redacted]",
		"Authorization: Bearer required":                                          "Authorization: Bearer required",
		"Proxy-Authorization: Digest username=\"a\", nonce=7":                     "Proxy-Authorization: Digest [redacted]",
		"Cookie: sid=abc123; theme=dark":                                          "Cookie: sid=[redacted]; theme=[redacted]",
		"Set-Cookie: sid=abc; Path=/; HttpOnly":                                   "Set-Cookie: sid=[redacted]; Path=/; HttpOnly",
		"cookie: is missing":                                                      "cookie: is missing",
		"got bearer 0123456789abcdefgh":                                           "got bearer [redacted]",
		"the bearer of this message":                                              "the bearer of this message",
		"basic dXNlcjpwYXNz":                                                      "basic [redacted]",
		"basic knowledge":                                                         "basic knowledge",
		"jwt " + jwt + " end":                                                     "jwt [redacted_jwt] end",
		"key AKIAIOSFODNN7EXAMPLE.":                                               "key [redacted_aws_key].",
		"ghp_0123456789abcdefghij":                                                "[redacted_token]",
		"sk-proj-Ab3dE6gH9jK2mN5pQ8sT":                                            "[redacted_token]",
		"sk-some-ordinary-class-name":                                             "sk-some-ordinary-class-name",
		"sk_live_0123456789":                                                      "[redacted_token]",
		"xoxb-0123456789-abc":                                                     "[redacted_token]",
		"password = hunter2":                                                      "password = [redacted]",
		`dbPassword="a b"`:                                                        `dbPassword=[redacted]`,
		"password: required":                                                      "password: required",
		"password: hunter2":                                                       "password: [redacted]",
		"password: null":                                                          "password: null",
		"PWD=/srv/tools":                                                          "PWD=/srv/tools",
		"client_secret=abc clientSecret: x9":                                      "client_secret=[redacted] clientSecret: [redacted]",
		"token: abc123 secret: x9 key=7":                                          "token: abc123 secret: x9 key=7",
		"api-key = true":                                                          "api-key = true",
		"Nothing to hide here.":                                                   "Nothing to hide here.",
	} {
		if got := mask.Credentials(text); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
		if got := mask.Credentials(mask.Credentials(text)); got != mask.Credentials(text) {
			t.Errorf("%q is masked twice as %q", text, got)
		}
	}
}

func FuzzCredentialsKeepAddresses(f *testing.F) {
	f.Add("password=", "https://a:b@c/?x=1")
	f.Add("Cookie: ", "http://x/y")
	f.Fuzz(func(t *testing.T, before, path string) {
		if strings.ContainsAny(path, " \t\n\r\v\f\"'<>`\uE000") || strings.Contains(before, "\uE000") {
			return
		}
		got := mask.Credentials(before + " " + "AKIAIOSFODNN7EXAMPLE")
		if strings.Contains(got, "AKIAIOSFODNN7EXAMPLE") && !strings.Contains(before, "://") {
			t.Errorf("%q leaves as %q", before, got)
		}
	})
}
