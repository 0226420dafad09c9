package artifact

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const everyKey = `{"version":2,"steps":[` +
	`{"page":"https://x.test/login","popup":{"opener":"primary","origin":"https://id.x.test"},"rejectedMarkers":[{"slot":"username","selector":".no"}],"fields":[{"selector":"#u","accepts":["username","email","phone","account_number"]}],"submit":"#go","submittedBy":"minter"},` +
	`{"page":"https://x.test/2fa","fields":[],"methods":[{"method":"sms","selector":"#sms"},{"method":"totp","selector":"#app"}]},` +
	`{"page":"https://x.test/more","approval":"device","fields":[{"selector":"#d","slot":"date_of_birth","format":"DD.MM.YYYY","control":"text"},{"selector":"#q","slot":"private_answer","questionSelector":"label"}]}],` +
	`"signedIn":{"selector":"#account","urlPath":"/home","openPath":"/account"}}`

func TestRecipesAreDecodedAndWrittenBack(t *testing.T) {
	for _, text := range []string{login, everyKey, strings.Replace(login, `"version":1`, `"version":3`, 1),
		`{"version":8,"steps":[{"page":"/start","fields":[],"submit":"b","refills":["password"],"dismiss":"#x","anySegments":true,"submitVia":"keyboard"}],"signedIn":{},"workspace":{}}`} {
		r, err := decodeRecipe([]byte(text))
		if err != nil {
			t.Errorf("%.60s: %v", text, err)
			continue
		}
		back, err := json.Marshal(r)
		if err != nil || string(back) != text {
			t.Errorf("%v\n%s", err, cmp.Diff(text, string(back)))
		}
	}
}

func TestEveryKnownVersionIsRead(t *testing.T) {
	for version := 1; version <= 8; version++ {
		r, err := decodeRecipe([]byte(strings.Replace(login, `"version":1`, fmt.Sprintf(`"version":%d`, version), 1)))
		if err != nil || r.Version != version || r.Steps[0].Fields[1].Slot != "password" || r.SignedIn.Selector != "#account" {
			t.Errorf("version %d: %+v, %v", version, r, err)
		}
	}
}

func TestRecipesThatBreakARule(t *testing.T) {
	step := func(text string) string {
		return `{"version":2,"steps":[{"page":"p","fields":[],` + text + `}],"signedIn":{}}`
	}
	field := func(text string) string {
		return `{"version":3,"steps":[{"page":"p","fields":[` + text + `]}],"signedIn":{}}`
	}
	for text, pointer := range map[string]string{
		`{"version":1,"signedIn":{}}`: "/steps",
		`{"version":1,"steps":[` + strings.Repeat(`{"page":"p","fields":[]},`, 12) + `{"page":"p","fields":[]}],"signedIn":{}}`: "/steps",
		`{"version":1,"steps":[{"page":"p","fields":[]}]}`:                                                                      "/signedIn",
		`{"version":1,"steps":[{"fields":[]}],"signedIn":{}}`:                                                                   "/steps/0/page",
		`{"version":1,"steps":[{"page":"p"}],"signedIn":{}}`:                                                                    "/steps/0/fields",
		`{"version":1,"steps":[{"page":7,"fields":[]}],"signedIn":{}}`:                                                          "/steps/0/page",
		`{"version":1,"steps":[{"page":"p","fields":[],"approval":"device"}],"signedIn":{}}`:                                    "/steps/0",
		`{"version":"1","steps":[],"signedIn":{}}`:                                                                              "/version",
		`{"version":3,"steps":[{"page":"p","fields":[]}],"signedIn":{},"workspace":{}}`:                                         "/workspace",
		step(`"submit":""`): "/steps/0/submit",
		step(`"submit":"` + strings.Repeat("x", 1001) + `"`):                 "/steps/0/submit",
		step(`"submittedBy":"me"`):                                           "/steps/0/submittedBy",
		step(`"approval":"fax"`):                                             "/steps/0/approval",
		step(`"popup":{"opener":"primary","origin":"http://x.test"}`):        "/steps/0/popup",
		step(`"rejectedMarkers":[{"slot":"private_answer","selector":"x"}]`): "/steps/0/rejectedMarkers/0/slot",
		step(`"rejectedMarkers":[{"slot":"code","selector":""}]`):            "/steps/0/rejectedMarkers/0/selector",
		step(`"methods":[]`):                                                 "/steps/0/methods",
		step(`"methods":[{"method":"pigeon","selector":"x"}]`):               "/steps/0/methods/0/method",
		step(`"refills":["password"]`):                                       "/steps/0/refills",
		step(`"submitVia":"keyboard"`):                                       "/steps/0/submitVia",
		field(`{"selector":"x"}`):                                            "/steps/0/fields/0",
		field(`{"selector":"x","accepts":["email"],"slot":"code"}`):          "/steps/0/fields/0",
		field(`{"selector":"x","accepts":[]}`):                               "/steps/0/fields/0/accepts",
		field(`{"selector":"x","accepts":["nick"]}`):                         "/steps/0/fields/0/accepts",
		field(`{"selector":"","slot":"code"}`):                               "/steps/0/fields/0/selector",
		field(`{"selector":"x","slot":"pin"}`):                               "/steps/0/fields/0/slot",
		field(`{"selector":"x","slot":"date_of_birth","format":"yyyy"}`):     "/steps/0/fields/0/format",
		field(`{"selector":"x","slot":"zip","control":"radio"}`):             "/steps/0/fields/0/control",
		field(`{"selector":"x","slot":"code","questionSelector":"q"}`):       "/steps/0/fields/0/questionSelector",
		field(strings.Repeat(`{"selector":"x","slot":"code"},`, 6) + `{}`):   "/steps/0/fields",
	} {
		_, err := decodeRecipe([]byte(text))
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Code != MissingRecipe || wrong.Reason != "invalid" || wrong.Pointer != pointer {
			t.Errorf("%.100s: %v, want %s", text, err, pointer)
		}
	}
}

func TestSecureOrigins(t *testing.T) {
	for text, want := range map[string]bool{
		"https://x.test": true, "https://x.test:8443": true, "https://[::1]:8443": true, "https://xn--mnchen-3ya.test": true,
		"http://x.test": false, "https://x.test/": false, "https://X.test": false, "https://x.test:443": false, "https://x.test:": false, "https://u@x.test": false,
		"https://münchen.test": false, "https://": false, "https://x.test?": false, "https://x.test#": false, "x.test": false, "": false,
	} {
		if got := secureOrigin(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func FuzzDecoders(f *testing.F) {
	f.Add([]byte(heading))
	f.Add([]byte(deployed))
	f.Add([]byte(login))
	f.Add([]byte(everyKey))
	f.Add([]byte(strings.Replace(heading, `"questions"`, `"signIn":{"recipe":"auth-fill.json","entryUrl":"https://x.test","authenticationOrigins":["https://a.test"]},"acceptedConfirms":[],"questions"`, 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		typed := func(err error) {
			var wrong *Error
			if err != nil && (!errors.As(err, &wrong) || wrong.Problem == "" || wrong.Path == "" || wrong.Fix == "") {
				t.Fatalf("%#v", err)
			}
		}
		typed(checkContent("x", text))
		m, err := decodeManifest(text)
		typed(err)
		if err == nil {
			typed(checkPaths(m.entrypoint, m.files))
		}
		_, err = decodeDeployment(text)
		typed(err)
		r, err := decodeRecipe(text)
		typed(err)
		if err == nil {
			back, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			again, err := decodeRecipe(back)
			if err != nil {
				t.Fatalf("%s: %v", back, err)
			}
			if diff := cmp.Diff(r, again, cmp.Transformer("compact", compacted)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}
