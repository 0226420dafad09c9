package contract_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/jsrt/sdk"
	"github.com/pomerado-go/pomerado/workers/contract"
)

// file makes a file of an artifact.
func file(path, content string) contract.File {
	return contract.File{Path: path, Content: []byte(content)}
}

// Every example tool has the contract that the real effect package gives it, key for key: saved tools carry that text.
func TestExamplesHaveTheirContracts(t *testing.T) {
	raw, err := os.ReadFile("testdata/contracts.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]struct {
		Name, Form    string
		Input, Output json.RawMessage
		Write         *sdk.WriteDeclaration
		Questions     json.RawMessage
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("testdata/examples/*.js")
	if err != nil || len(paths) != len(want) {
		t.Fatalf("%d examples, %d contracts (%v)", len(paths), len(want), err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, bundled, err := contract.Read(t.Context(), []contract.File{{Path: "src/" + name, Content: content}}, "src/"+name)
			if err != nil {
				t.Fatal(err)
			}
			expected := want[name]
			for part, texts := range map[string][2]string{
				"name":   {expected.Name, got.Name},
				"form":   {expected.Form, got.Form},
				"input":  {string(expected.Input), string(got.Input)},
				"output": {string(expected.Output), string(got.Output)},
			} {
				if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
					t.Errorf("%s (-effect +ours):\n%s", part, diff)
				}
			}
			if diff := cmp.Diff(expected.Write, got.Write); diff != "" {
				t.Errorf("write (-declared +read):\n%s", diff)
			}
			if diff := cmp.Diff(plain(t, expected.Questions), plain(t, got.Questions)); diff != "" {
				t.Errorf("questions (-declared +read):\n%s", diff)
			}
			again, err := contract.Bundle([]contract.File{{Path: "src/" + name, Content: content}}, "src/"+name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(again.Script, bundled.Script) || !bytes.Equal(again.SourceMap, bundled.SourceMap) {
				t.Error("bundling twice gave two results")
			}
		})
	}
}

func plain(t *testing.T, raw json.RawMessage) (v any) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
