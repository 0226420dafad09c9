package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// maxInput bounds what is read of an input; the wire's own limit is lower and names itself.
const maxInput = 4 << 20

// readInput gets the run's input: JSON itself, @file, or - for standard input.
func readInput(argument string, stdin io.Reader) (json.RawMessage, error) {
	name, text := "--input", []byte(argument)
	var err error
	if argument == "-" {
		name = "standard input"
		text, err = readBounded(stdin)
	} else if path, isFile := strings.CutPrefix(argument, "@"); isFile {
		name = path
		var file *os.File
		if file, err = os.Open(path); err == nil {
			defer file.Close()
			text, err = readBounded(file)
		}
	}
	if err != nil {
		return nil, &failure{code: exitUsage, cause: err, what: fmt.Sprintf("Reading the input from %s failed: %v", name, err),
			advice: "Give the input as JSON, as @file, or as - to read it from standard input"}
	}
	if problem := checkJSON(text); problem != nil {
		return nil, usage(fmt.Sprintf("%s:%d:%d: the input is not JSON: %s", name, problem.line, problem.column, problem.what),
			"Give one JSON value, quoted for your shell: --input '{\"key\":\"value\"}'")
	}
	return json.RawMessage(bytes.TrimSpace(text)), nil
}

func readBounded(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err == nil && len(text) > maxInput {
		err = fmt.Errorf("it is larger than %d MiB", maxInput>>20)
	}
	return text, err
}

// position is a fault in a JSON text. Line and column count from 1, the column in characters.
type position struct {
	line, column int
	what         string
}

// checkJSON says where a text stops being one JSON value, nil when it is one.
func checkJSON(text []byte) *position {
	if !utf8.Valid(text) {
		offset := 0
		for rest := text; len(rest) > 0; rest = text[offset:] {
			r, size := utf8.DecodeRune(rest)
			if r == utf8.RuneError && size == 1 {
				break
			}
			offset += size
		}
		return at(text, offset, "the bytes are not UTF-8")
	}
	var value json.RawMessage
	err := json.Unmarshal(text, &value)
	if err == nil {
		return nil
	}
	offset := len(text)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && !strings.HasPrefix(syntax.Error(), "unexpected end") {
		offset = int(syntax.Offset) - 1 // Offset counts the bytes read, the faulty one included
	}
	return at(text, offset, strings.TrimPrefix(err.Error(), "json: "))
}

func at(text []byte, offset int, what string) *position {
	before := text[:max(0, min(offset, len(text)))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return &position{line: bytes.Count(before, []byte("\n")) + 1, column: utf8.RuneCount(before[start:]) + 1, what: what}
}
