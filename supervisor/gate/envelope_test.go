package gate

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

func TestDecodeTakesWellFormedCommands(t *testing.T) {
	var d decoder
	for frame, want := range map[string]string{
		`{"id":1,"method":"Page.enable","sessionId":"A1"}`:                                         `{"id":7,"method":"Page.enable","sessionId":"A1"}`,
		`{"id":999999999999999,"method":"Page.navigate","params":{"url":"x"},"sessionId":"A1"}`:    `{"id":7,"method":"Page.navigate","params":{"url":"x"},"sessionId":"A1"}`,
		` { "sessionId" : "A1" , "params" : { "a" : [ 1 , "\u0000" ] } , "method":"A.b","id": 2 }`: `{"id":7,"method":"A.b","params":{ "a" : [ 1 , "\u0000" ] },"sessionId":"A1"}`,
		`{"id":3,"method":"A.b","params":{}}`:                                                      `{"id":7,"method":"A.b","params":{}}`,
		`{"id":4,"method":"\u0041.b"}`:                                                             `{"id":7,"method":"A.b"}`,
	} {
		c, err := d.decode([]byte(frame))
		if err != nil {
			t.Errorf("%s: %v", frame, err)
			continue
		}
		if got := string(appendCommand(7, c.session, c.method, c.params)); got != want {
			t.Errorf("%s is written as %s, want %s", frame, got, want)
		}
	}
}

func TestDecodeKeepsTheParametersWhereTheyStand(t *testing.T) {
	var d decoder
	c, err := d.decode([]byte(`{"id":1,"method":"A.b","params":{ "url" : "h\u0074tp:" , "\u0064ata":{"x":[1,2]},"n":null,"f":false,"t":true}}`))
	if err != nil {
		t.Fatal(err)
	}
	if url, err := c.text("url"); err != nil || url != "http:" {
		t.Errorf("url is %q, %v", url, err)
	}
	if _, err := c.text("data"); err == nil {
		t.Error("an object is taken for a string")
	}
	if missing, err := c.text("missing"); err != nil || missing != "" {
		t.Errorf("a missing parameter is %q, %v", missing, err)
	}
	if !c.has("t") || !c.has("data") || c.has("n") || c.has("f") || c.has("missing") {
		t.Errorf("presence is wrong: %v", c.fields)
	}
	for _, f := range c.fields {
		if f.name == "data" && string(f.value) != `{"x":[1,2]}` {
			t.Errorf("data is %s", f.value)
		}
	}
}

// refusedFrames are frames that must not be decoded, by what is wrong with them.
var refusedFrames = map[string]string{
	"empty":                            ``,
	"not JSON":                         `hello`,
	"an array":                         `[]`,
	"two values":                       `{"id":1,"method":"A.b"}{"id":2,"method":"A.b"}`,
	"a value after it":                 `{"id":1,"method":"A.b"} 1`,
	"cut off":                          `{"id":1,"method":"A.b"`,
	"no id":                            `{"method":"A.b"}`,
	"no method":                        `{"id":1}`,
	"another key":                      `{"id":1,"method":"A.b","x":1}`,
	"a key in another case":            `{"ID":1,"method":"A.b"}`,
	"id twice":                         `{"id":1,"method":"A.b","id":2}`,
	"method twice":                     `{"id":1,"method":"Page.enable","method":"Target.attachToTarget"}`,
	"method twice, escaped":            `{"id":1,"method":"Page.enable","\u006dethod":"Target.attachToTarget"}`,
	"sessionId twice":                  `{"id":1,"method":"A.b","sessionId":"A","sessionId":"B"}`,
	"params twice":                     `{"id":1,"method":"A.b","params":{},"params":{}}`,
	"a key twice in params":            `{"id":1,"method":"A.b","params":{"url":"http:","url":"file:"}}`,
	"a key twice in params, escaped":   `{"id":1,"method":"A.b","params":{"url":"http:","\u0075rl":"file:"}}`,
	"a key twice deep in params":       `{"id":1,"method":"A.b","params":{"a":[{"b":{"c":1,"c":2}}]}}`,
	"id a string":                      `{"id":"1","method":"A.b"}`,
	"id a fraction":                    `{"id":1.5,"method":"A.b"}`,
	"id with an exponent":              `{"id":1e3,"method":"A.b"}`,
	"id 0":                             `{"id":0,"method":"A.b"}`,
	"id negative":                      `{"id":-1,"method":"A.b"}`,
	"id null":                          `{"id":null,"method":"A.b"}`,
	"id too large":                     `{"id":1000000000000000,"method":"A.b"}`,
	"method a number":                  `{"id":1,"method":1}`,
	"method empty":                     `{"id":1,"method":""}`,
	"method with a quote":              `{"id":1,"method":"A.b\",\"x\":\"y"}`,
	"method with a NUL":                `{"id":1,"method":"A.b\u0000"}`,
	"method too long":                  `{"id":1,"method":"` + strings.Repeat("A", 200) + `"}`,
	"session with a quote":             `{"id":1,"method":"A.b","sessionId":"A\",\"sessionId\":\"B"}`,
	"session null":                     `{"id":1,"method":"A.b","sessionId":null}`,
	"session empty":                    `{"id":1,"method":"A.b","sessionId":""}`,
	"params an array":                  `{"id":1,"method":"A.b","params":[]}`,
	"params null":                      `{"id":1,"method":"A.b","params":null}`,
	"params a string":                  `{"id":1,"method":"A.b","params":"{}"}`,
	"a raw NUL in params":              "{\"id\":1,\"method\":\"A.b\",\"params\":{\"a\":\"\x00\"}}",
	"a raw NUL after a backslash":      "{\"id\":1,\"method\":\"A.b\",\"params\":{\"a\":\"\\\x00\"}}",
	"a raw NUL between tokens":         "{\"id\":1,\x00\"method\":\"A.b\"}",
	"a raw NUL at the end":             "{\"id\":1,\"method\":\"A.b\"}\x00",
	"a line break between tokens":      "{\"id\":1,\n\"method\":\"A.b\"}",
	"a raw tab in a string":            "{\"id\":1,\"method\":\"A.b\",\"params\":{\"a\":\"\t\"}}",
	"invalid UTF-8":                    "{\"id\":1,\"method\":\"A.b\",\"params\":{\"a\":\"\xff\"}}",
	"an overlong encoding of a quote":  "{\"id\":1,\"method\":\"A.b\",\"params\":{\"a\":\"\xc0\xa2\"}}",
	"a lone surrogate":                 `{"id":1,"method":"A.b","params":{"a":"\ud800"}}`,
	"too deep":                         `{"id":1,"method":"A.b","params":{"a":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}}`,
	"a comment":                        `{"id":1,"method":"A.b"/**/}`,
	"single quotes":                    `{'id':1,"method":"A.b"}`,
	"a trailing comma":                 `{"id":1,"method":"A.b",}`,
	"a byte order mark":                "\ufeff{\"id\":1,\"method\":\"A.b\"}",
	"too many parameters":              `{"id":1,"method":"A.b","params":{` + strings.TrimSuffix(manyMembers(100), ",") + `}}`,
	"a number only JavaScript accepts": `{"id":1,"method":"A.b","params":{"a":NaN}}`,
}

func manyMembers(n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString(`"k`)
		text.WriteString(strings.Repeat("x", i))
		text.WriteString(`":1,`)
	}
	return text.String()
}

func TestDecodeRefusesWhatTwoParsersCouldReadInTwoWays(t *testing.T) {
	var d decoder
	for what, frame := range refusedFrames {
		if c, err := d.decode([]byte(frame)); err == nil {
			t.Errorf("%s: %s is read as %+v", what, frame, c)
		}
		// A refused frame leaves nothing behind.
		if c, err := d.decode([]byte(`{"id":1,"method":"A.b","params":{"a":1}}`)); err != nil || c.id != 1 || len(c.fields) != 1 {
			t.Fatalf("after %s: %+v, %v", what, c, err)
		}
	}
}

func TestAnswersGetTheWorkersID(t *testing.T) {
	if got := string(withID([]byte(`{"id":12,"result":{"a":1},"sessionId":"S"}`), 7)); got != `{"id":7,"result":{"a":1},"sessionId":"S"}` {
		t.Error(got)
	}
	if got := string(appendError(7, "S", -32000, "a \"quote\"\n")); got != `{"id":7,"error":{"code":-32000,"message":"a \"quote\"\n"},"sessionId":"S"}` {
		t.Error(got)
	}
	if got := appendError(7, "", -32000, "\xff"); !json.Valid(got) {
		t.Errorf("%s", got)
	}
}

func FuzzDecode(f *testing.F) {
	for _, frame := range refusedFrames {
		f.Add([]byte(frame))
	}
	f.Add([]byte(`{"id":1,"method":"Page.navigate","params":{"url":"http://x/","a":{"b":[1,2,{"c":null}]}},"sessionId":"A1"}`))
	var d decoder
	f.Fuzz(func(t *testing.T, frame []byte) {
		before := bytes.Clone(frame)
		c, err := d.decode(frame)
		if !bytes.Equal(before, frame) {
			t.Fatal("the frame was changed")
		}
		if err != nil {
			return
		}
		out := appendCommand(1, c.session, c.method, c.params)
		if bytes.ContainsFunc(out, func(r rune) bool { return r < 0x20 }) {
			t.Errorf("a control byte gets through: %q", out)
		}
		// What is written is what both parsers read in the frame.
		var read, written map[string]json.RawMessage
		if err := json.Unmarshal(frame, &read); err != nil {
			t.Fatalf("%q is taken but not by encoding/json: %v", frame, err)
		}
		if err := json.Unmarshal(out, &written); err != nil {
			t.Fatalf("%q is written: %v", out, err)
		}
		delete(read, "id")
		delete(written, "id")
		if len(read) != len(written) {
			t.Fatalf("%q is written as %q", frame, out)
		}
		for key := range written {
			var a, b any
			if json.Unmarshal(read[key], &a) != nil || json.Unmarshal(written[key], &b) != nil {
				t.Fatalf("%q is written as %q", frame, out)
			}
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			if !bytes.Equal(x, y) {
				t.Errorf("%s is %s, want %s", key, y, x)
			}
		}
		var params map[string]json.RawMessage
		if c.params != nil && json.Unmarshal(c.params, &params) != nil || len(params) != len(c.fields) {
			t.Fatalf("%d fields of params %s", len(c.fields), c.params)
		}
		for _, field := range c.fields {
			if !bytes.Equal(bytes.TrimSpace(params[field.name]), field.value) {
				t.Errorf("field %q is %s, want %s", field.name, field.value, params[field.name])
			}
		}
	})
}

func FuzzIDOf(f *testing.F) {
	f.Add([]byte(`{"id":12,"method":`))
	f.Add([]byte(`{"id":12345678901234567890,"`))
	f.Add([]byte(`{"id":+1,`))
	f.Fuzz(func(t *testing.T, frame []byte) {
		if id, ok := idOf(frame); ok && (id <= 0 || id >= 1e15) {
			t.Errorf("id %d of %q", id, frame)
		}
	})
}

// FuzzAnswer feeds what Chromium could say into the scanner and the id's replacement.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"id":12,"result":{"a":",\"id\":1"},"sessionId":"S"}`))
	f.Add([]byte(`{"id":1,"error":{"code":-1,"message":"x"}}`))
	f.Fuzz(func(t *testing.T, frame []byte) {
		parts, ok := cdp.Cut(frame)
		if !ok || parts.ID == 0 {
			return
		}
		out := withID(frame, 987654321)
		again, ok := cdp.Cut(out)
		if !ok || again.ID != 987654321 || !bytes.Equal(again.Body, parts.Body) || !bytes.Equal(again.Session, parts.Session) || again.Failed != parts.Failed {
			t.Errorf("%q becomes %q", frame, out)
		}
	})
}

func FuzzStrictJSON(f *testing.F) {
	f.Add([]byte(`[{"name":"a","value":"b"}]`))
	f.Add([]byte(`[],"browserContextId":"x"`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if strictJSON(text, '[') == nil && (!json.Valid(text) || jsontext.Value(text).Kind() != '[' && bytes.TrimSpace(text)[0] != '[') {
			t.Errorf("%q is taken", text)
		}
	})
}
