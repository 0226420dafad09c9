package ipc

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/pomerado-go/pomerado/ipc/workerpb"
)

func encoded(t testing.TB, m proto.Message) []byte {
	t.Helper()
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// field is one length-delimited field of an encoding.
func field(number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), value)
}

func TestDecodingIsStrictWhereAPlainDecoderIsNot(t *testing.T) {
	one := encoded(t, ready("seccomp"))
	two := encoded(t, failure(&workerpb.Failure{Tag: "Defect"}))
	tests := []struct {
		name  string
		data  []byte
		field string
	}{
		{"as sent", one, "ok"},
		{"two kinds", append(bytes.Clone(one), two...), ""},
		{"one kind twice", append(bytes.Clone(one), one...), "ready"},
		{"an unknown field", append(bytes.Clone(one), field(99, nil)...), ""},
		{"an unknown field within", field(1, field(99, nil)), "ready"},
		{"a group", protowire.AppendTag(nil, 1, protowire.StartGroupType), "ready"},
		{"a number where a message is due", append(protowire.AppendTag(nil, 1, protowire.VarintType), 1), "ready"},
		{"a text twice", field(6, append(field(1, []byte("Defect")), field(1, []byte("Defect"))...)), "failure.tag"},
		{"broken off", one[:len(one)-1], "ready"},
		{"not a message", []byte("\xff\xff\xff\xff\xff"), ""},
		{"nothing", nil, ""},
		{"bad UTF-8", field(6, field(1, []byte("\xff"))), ""},
		{"too long", make([]byte, MaxMessage+1), ""},
		{"a list past its bound", field(6, bytes.Repeat(field(9, nil), MaxInputIssues+1)), "failure.input_issues"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := DecodeWorker(test.data)
			expectViolation(t, err, test.field)
		})
	}
}

// Two bytes make a whole entry once decoded; a message within its limit must not cost fifty times its size.
func TestDecodingAHostileListIsCheap(t *testing.T) {
	hostile := field(6, bytes.Repeat(field(9, nil), MaxMessage/2-8))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := DecodeWorker(hostile); err == nil {
		t.Fatal("accepted")
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<10 {
		t.Fatalf("refusing it took %d bytes", used)
	}
}

func TestFiles(t *testing.T) {
	file := func(path string, size int) *workerpb.File {
		return &workerpb.File{Path: path, Content: make([]byte, size)}
	}
	data, err := EncodeFiles([]*workerpb.File{file("src/op.ts", 3), file("data.json", 0)})
	if err != nil {
		t.Fatal(err)
	}
	files, err := DecodeFiles(data)
	if err != nil || len(files) != 2 || files[0].Path != "src/op.ts" || len(files[0].Content) != 3 {
		t.Fatalf("got %v, %v", files, err)
	}
	tests := []struct {
		name  string
		files []*workerpb.File
		field string
	}{
		{"absolute", []*workerpb.File{file("/etc/passwd", 1)}, "files[0]"},
		{"upwards", []*workerpb.File{file("a", 1), file("a/../../b", 1)}, "files[1]"},
		{"backslash", []*workerpb.File{file(`a\b`, 1)}, "files[0]"},
		{"empty part", []*workerpb.File{file("a//b", 1)}, "files[0]"},
		{"no path", []*workerpb.File{file("", 1)}, "files[0].path"},
		{"twice", []*workerpb.File{file("a", 1), file("a", 1)}, "files[1]"},
		{"a file too large", []*workerpb.File{file("a", MaxFile+1)}, "files[0].content"},
		{"too large together", []*workerpb.File{file("a", MaxFile), file("b", MaxFile), file("c", 1)}, "files[2]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := EncodeFiles(test.files)
			expectViolation(t, err, test.field)
			_, err = DecodeFiles(encoded(t, &workerpb.FileSet{Files: test.files}))
			expectViolation(t, err, test.field)
		})
	}
}

// workerSeeds are one message of every shape the tests use, which is also what a worker sends in a run.
func workerSeeds() []*workerpb.WorkerMessage {
	return []*workerpb.WorkerMessage{
		ready(), ready("rlimits", "no_new_privs", "not_dumpable", "landlock", "seccomp"),
		journal(&workerpb.Journal{Event: &workerpb.Journal_ExecuteBegin{ExecuteBegin: 60_000}}),
		journal(&workerpb.Journal{Event: &workerpb.Journal_DeclareCommits{DeclareCommits: &workerpb.DeclareCommits{Names: []string{"place-order"}, Write: true, Confirmation: "readback"}}}),
		ask(&workerpb.Question{Id: "seat", Type: "multi_choice", Prompt: "Which?", Options: options("o1", "o2"), MinSelections: proto.Uint32(1), AllowOther: true}),
		ask(&workerpb.Question{Id: "q", Type: "confirm", Prompt: "?", FollowUp: &workerpb.FollowUp{Prompt: "Why?", DefaultText: "x"}}),
		request(&workerpb.Request{Id: 3, Kind: &workerpb.Request_Storage{Storage: &workerpb.Storage{ContextId: "C", Op: &workerpb.Storage_SetCookies{SetCookies: `[{"name":"a"}]`}}}}),
		request(&workerpb.Request{Id: 4, Kind: &workerpb.Request_FilePlace{FilePlace: &workerpb.FilePlace{Reference: "r", SessionId: "S", BackendNodeId: 9, TimeoutMs: 1}}}),
		workerChunk(&workerpb.Chunk{Blob: 1, Data: []byte("data"), Last: true}),
		bundled(&workerpb.Bundled{Contract: contract(), ScriptBlob: 1, SourceMapBlob: 2}),
		bundled(&workerpb.Bundled{Error: &workerpb.SourceError{Code: "syntax_error", Message: "m", File: "a.ts", Line: 3, Column: 1}}),
		result(&workerpb.Result{OutputBlob: 3, HasOutput: true, Stdout: "hi\n"}),
		failure(&workerpb.Failure{Tag: "InvalidInput", Message: "m", Dispatch: "not_sent", Detail: &workerpb.RefusalDetail{Field: "seat", Available: []string{"A1"}, Kind: "sold_out"}, InputIssues: []*workerpb.InputIssue{{Path: "a[0]", Issue: "missing"}}}),
	}
}

func hostSeeds() []*workerpb.HostMessage {
	return []*workerpb.HostMessage{
		bundle(&workerpb.Bundle{FilesBlob: 1, Entrypoint: "src/op.ts", Programs: true}),
		start(&workerpb.Start{Work: &workerpb.Start_Operation{Operation: &workerpb.Operation{ScriptBlob: 3, InputBlob: 4, SiteOrigin: "https://example.org"}}, SessionId: "s", RemainingMs: 5, ContextId: "C"}),
		reply(&workerpb.Reply{Id: 1, RemainingMs: 7, Value: &workerpb.Reply_Ask{Ask: &workerpb.AskReply{Answers: `{"a":"b"}`}}}),
		reply(&workerpb.Reply{Id: 1, Value: &workerpb.Reply_Dialog{Dialog: &workerpb.DialogReply{Accept: true, PromptText: proto.String("")}}}),
		reply(&workerpb.Reply{Id: 1, Code: "NotYours", Message: "m"}),
		{Kind: &workerpb.HostMessage_Stop{Stop: &workerpb.Stop{Cause: "deadline"}}},
		{Kind: &workerpb.HostMessage_Chunk{Chunk: &workerpb.Chunk{Blob: 1, Data: []byte("x"), Last: true}}},
	}
}

var hostileSeeds = [][]byte{
	nil, {0}, {0xff}, []byte("\x0a\x00\x0a\x00"), field(99, nil), bytes.Repeat(field(1, nil), 3),
	protowire.AppendTag(nil, 1, protowire.StartGroupType), []byte(strings.Repeat("\x0b", 64)),
}

// FuzzDecodeWorker: whatever is accepted passes the check again after a round trip, so that nothing hides in the encoding.
func FuzzDecodeWorker(f *testing.F) {
	for _, seed := range workerSeeds() {
		f.Add(encoded(f, seed))
	}
	for _, seed := range hostileSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeWorker(data)
		if err != nil {
			if !IsViolation(err) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		again, err := DecodeWorker(encoded(t, m))
		if err != nil || !proto.Equal(m, again) {
			t.Fatalf("changed by a round trip: %v", err)
		}
	})
}

func FuzzDecodeHost(f *testing.F) {
	for _, seed := range hostSeeds() {
		f.Add(encoded(f, seed))
	}
	for _, seed := range hostileSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeHost(data)
		if err != nil {
			if !IsViolation(err) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		again, err := DecodeHost(encoded(t, m))
		if err != nil || !proto.Equal(m, again) {
			t.Fatalf("changed by a round trip: %v", err)
		}
	})
}

func FuzzDecodeFiles(f *testing.F) {
	data, err := EncodeFiles([]*workerpb.File{{Path: "src/op.ts", Content: []byte("export default 1")}, {Path: "data.json"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	for _, seed := range hostileSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := DecodeFiles(data)
		if err != nil {
			return
		}
		if _, err := EncodeFiles(files); err != nil {
			t.Fatalf("accepted and not sendable: %v", err)
		}
	})
}

// FuzzBlobs drives a collector with any order of chunks: it never holds more than it was given room for.
func FuzzBlobs(f *testing.F) {
	f.Add([]byte{1, 3, 1, 2, 9, 0, 2, 5, 1})
	f.Add([]byte{1, 200, 0, 1, 200, 1, 1, 0, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		const room = 512
		blobs := NewBlobs(room)
		for ; len(script) >= 3; script = script[3:] {
			id := uint32(script[0])
			_ = blobs.Add(&workerpb.Chunk{Blob: id, Data: make([]byte, script[1]), Last: script[2]&1 == 1})
			if script[2]&2 != 0 {
				_, _ = blobs.Take(id)
			}
			held := len(blobs.open)
			for _, data := range blobs.ready {
				held += len(data)
			}
			if held+blobs.room != room || held > room || blobs.Held() > MaxBlobs {
				t.Fatalf("%d bytes held, room for %d, %d blobs", held, blobs.room, blobs.Held())
			}
		}
	})
}
