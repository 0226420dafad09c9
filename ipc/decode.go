package ipc

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/pomerado-go/pomerado/ipc/workerpb"
)

// DecodeHost decodes and checks one message from a supervisor.
func DecodeHost(data []byte) (*workerpb.HostMessage, error) {
	m := new(workerpb.HostMessage)
	if err := decode(data, m, MaxMessage); err != nil {
		return nil, err
	}
	return m, CheckHost(m)
}

// DecodeWorker decodes and checks one message from a worker.
func DecodeWorker(data []byte) (*workerpb.WorkerMessage, error) {
	m := new(workerpb.WorkerMessage)
	if err := decode(data, m, MaxMessage); err != nil {
		return nil, err
	}
	return m, CheckWorker(m)
}

// decode reads an encoded message as far as the encoding alone can be judged. The encoding is scanned before anything is
// built from it: a decoder takes the last of several members of a oneof, merges a message sent twice, keeps fields it does
// not know, and turns two bytes into a whole entry of a list, so that a message within its limit could ask for 50 MB.
func decode(data []byte, m proto.Message, limit int) error {
	if len(data) > limit {
		return &Violation{Problem: fmt.Sprintf("is %d bytes, at most %d are allowed", len(data), limit)}
	}
	if v := scan(data, m.ProtoReflect().Descriptor(), nil); v != nil {
		return v
	}
	if err := proto.Unmarshal(data, m); err != nil {
		return &Violation{Problem: "is not encoded as its kind is"}
	}
	return nil
}

func scan(data []byte, message protoreflect.MessageDescriptor, at *path) *Violation {
	var (
		fields = message.Fields()
		counts = make([]int, fields.Len())
		oneofs uint64 // bit per oneof that has a member already
	)
	for len(data) > 0 {
		number, wire, n := protowire.ConsumeTag(data)
		if n < 0 {
			return at.problem("breaks off or is no message")
		}
		data = data[n:]
		field := fields.ByNumber(number)
		if field == nil {
			return at.problem("has a field this version does not know")
		}
		index := field.Index()
		here := &path{at, field.Name(), -1}
		if field.IsList() {
			here.index = counts[index]
		}
		counts[index]++
		if most := max(rules()[field.FullName()].list, 1); counts[index] > most {
			here.index = -1
			return here.problem("comes more than %d times", most)
		}
		if oneof := field.ContainingOneof(); oneof != nil {
			bit := uint64(1) << oneof.Index()
			if oneofs&bit != 0 {
				return at.problem("has more than one %s", oneof.Name())
			}
			oneofs |= bit
		}
		if wire != wireOf(field.Kind()) {
			return here.problem("is encoded as another kind")
		}
		if wire == protowire.VarintType {
			if _, n = protowire.ConsumeVarint(data); n < 0 {
				return here.problem("breaks off")
			}
			data = data[n:]
			continue
		}
		value, n := protowire.ConsumeBytes(data)
		if n < 0 {
			return here.problem("breaks off")
		}
		data = data[n:]
		if field.Kind() == protoreflect.MessageKind {
			if v := scan(value, field.Message(), here); v != nil {
				return v
			}
		}
	}
	return nil
}

// wireOf is how a field's kind travels. The wire has numbers, texts, bytes and messages only; TestEveryFieldHasARule keeps it so.
func wireOf(kind protoreflect.Kind) protowire.Type {
	switch kind {
	case protoreflect.MessageKind, protoreflect.StringKind, protoreflect.BytesKind:
		return protowire.BytesType
	default:
		return protowire.VarintType
	}
}

// EncodeFiles makes the blob that Bundle.files_blob names.
func EncodeFiles(files []*workerpb.File) ([]byte, error) {
	set := &workerpb.FileSet{Files: files}
	if err := checkFiles(set); err != nil {
		return nil, err
	}
	return proto.Marshal(set)
}

// DecodeFiles reads that blob. Paths are relative, made of plain parts, and each comes once.
func DecodeFiles(data []byte) ([]*workerpb.File, error) {
	set := new(workerpb.FileSet)
	if err := decode(data, set, MaxBlob); err != nil {
		return nil, err
	}
	if err := checkFiles(set); err != nil {
		return nil, err
	}
	return set.Files, nil
}

func checkFiles(set *workerpb.FileSet) error {
	if v := walk(set.ProtoReflect(), nil); v != nil {
		return v
	}
	total := 0
	seen := make(map[string]bool, len(set.Files))
	for i, file := range set.Files {
		at := &path{nil, "files", i}
		total += len(file.Content)
		switch {
		case !isFilePath(file.Path):
			return at.problem("has a path that is not relative and plain")
		case seen[file.Path]:
			return at.problem("has a path another file has")
		case total > MaxFileSet:
			return at.problem("brings the files over %d bytes", MaxFileSet)
		}
		seen[file.Path] = true
	}
	return nil
}

// isFilePath accepts relative paths with forward slashes whose parts are neither empty nor a walk upwards.
func isFilePath(s string) bool {
	if strings.ContainsAny(s, "\x00\\") {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// IsViolation reports whether err says that a message broke the rules of the wire.
func IsViolation(err error) bool {
	var v *Violation
	return errors.As(err, &v)
}
