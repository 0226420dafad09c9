package confirm

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

func shown(t testing.TB, message, page, step, input string) Shown {
	t.Helper()
	at, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	return Shown{Message: message, Page: at, Step: step, Input: json.RawMessage(input)}
}

// The vector of spec artifact-and-serving.md §7.
const placed = "fb822570897b062c5ce17160ff617a3a7fae722bd2e5a34f29cd5a8d4ebf399c"

func TestDigestOfAMessage(t *testing.T) {
	for _, message := range []string{"Place this order?", "  Place \n\t this   order? "} {
		if got := Digest(shown(t, message, "https://confirm-popups.test/cart", "place-order", `{}`)); got != placed {
			t.Errorf("%q: %s", message, got)
		}
	}
	for _, other := range [][3]string{
		{"place this order?", "https://confirm-popups.test", "place-order"},
		{"Place this order?", "http://confirm-popups.test", "place-order"},
		{"Place this order?", "https://confirm-popups.test:8443", "place-order"},
		{"Place this order?", "https://confirm-popups.test", "pay-order"},
	} {
		if Digest(shown(t, other[0], other[1], other[2], `{}`)) == placed {
			t.Errorf("%q has the same digest", other)
		}
	}
}

func TestTemplate(t *testing.T) {
	const page = "https://shop.test/orders/A17/edit?ref=item9&total=50.00&x=1"
	for _, c := range []struct{ message, input, want string }{
		{"Cancel order A17 of Ada?", `{"name":"Ada"}`, "Cancel order {url:path:1} of {input:/name}?"},
		{"Delete item9 for 50.00?", `{}`, "Delete {url:query:ref} for 50.00?"},
		{"Send 12 to ADA LOVELACE?", `{"to":"Ada Lovelace","n":12}`, "Send {input:/n} to {input:/to}?"}, // four and more in any case
		{"Send to ADA?", `{"to":"Ada"}`, ""},                                                            // three only as written
		{"Book 5 of 55?", `{"n":5,"m":55}`, "Book 5 of {input:/m}?"},                                    // one digit names nothing
		{"Pay 50.00 now?", `{"n":50}`, ""},                                                              // part of a number
		{"Pay 50, now?", `{"n":50}`, "Pay {input:/n}, now?"},
		{"Adam and Ada?", `{"to":"Ada"}`, "Adam and {input:/to}?"},                   // part of a word
		{"Ada Lovelace?", `{"a":"Ada","b":"Ada Lovelace"}`, "{input:/b}?"},           // the longest first
		{"Go 77?", `{"list":[{"a/b":"77"}]}`, "Go {input:/list/0/a~1b}?"},            // a JSON pointer
		{"{input:/n} or 77?", `{"n":77}`, "{{input:/n}} or {input:/n}?"},             // a page cannot write a place itself
		{"Really true?", `{"yes":true,"none":null}`, ""},                             // only texts and numbers
		{"Caf\u0065\u0301 it is?", `{"place":"Caf\u00e9"}`, "{input:/place} it is?"}, // composed or not
		{"77 and 77?", `{"n":77}`, "{input:/n} and {input:/n}?"},
		{"Go?", `not JSON`, ""},
	} {
		got, named := template(shown(t, c.message, page, "s", c.input))
		if named != (c.want != "") || named && got != c.want {
			t.Errorf("%q with %s: %q, %v; want %q", c.message, c.input, got, named, c.want)
		}
	}
}

func TestRecordsServeOnce(t *testing.T) {
	go1 := shown(t, "Go?", "https://a.test/x", "go", `{}`)
	r := NewRecords([]string{Digest(go1)})
	other := go1
	other.Step = "stay"
	if r.Take(other) {
		t.Error("a confirm of another step was accepted")
	}
	if !r.Take(go1) || r.Take(go1) {
		t.Error("the record did not serve exactly once")
	}
}

func TestRecordsKnowOtherValues(t *testing.T) {
	built := Digest(shown(t, "Release plot B07?", "https://garden.test/plots", "release", `{"plot":"B07"}`))
	take := func(message, page, input string) bool {
		return NewRecords([]string{built}).Take(shown(t, message, page, "release", input))
	}
	if !take("Release plot C11?", "https://garden.test/plots", `{"plot":"C11"}`) {
		t.Error("the same question about another plot was not known")
	}
	if take("Release plot C11?", "https://garden.test/plots", `{"plot":"B07"}`) {
		t.Error("a question about a plot nobody named was accepted")
	}
	if take("Release all plots like C11?", "https://garden.test/plots", `{"plot":"C11"}`) {
		t.Error("another wording was accepted")
	}
	if take("Release plot C11?", "https://garden.test/plots/C11", `{}`) {
		t.Error("a value from another place was accepted")
	}
	// A record of the message itself still serves when the message names a value.
	exact := shown(t, "Release plot B07?", "https://garden.test/plots", "release", `{}`)
	named := exact
	named.Input = json.RawMessage(`{"plot":"B07"}`)
	if !NewRecords([]string{Digest(exact)}).Take(named) {
		t.Error("the message itself was recorded and not known")
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("Release plot B07?", "/plots/B07?q=7a", `{"plot":"B07"}`)
	f.Add("{{input:/a}}", "/", `{"a":"input"}`)
	f.Add("\xff", "", "0")
	f.Add("\xff\u0301 12", "/%41?;", `[[[[12]]]]`)
	f.Fuzz(func(t *testing.T, message, address, input string) {
		page, err := url.Parse("https://a.test" + address)
		if err != nil {
			t.Skip()
		}
		s := Shown{Message: message, Page: page, Step: "s", Input: json.RawMessage(input)}
		got, named := template(s)
		if !named && got != "" && strings.NewReplacer("{{", "{", "}}", "}").Replace(got) != normalize(message) {
			t.Errorf("%q became %q though it names nothing", message, got)
		}
		if d := Digest(s); len(d) != 64 || !NewRecords([]string{d}).Take(s) && len(message) <= 4*MaxMessage {
			t.Errorf("the digest %s of %q is not known again", d, message)
		}
	})
}
