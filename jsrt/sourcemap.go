package jsrt

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
)

// sourceMap leads from places in generated text to the authored files (source map, version 3).
type sourceMap struct {
	sources  []string
	segments []segment
}

// segment says where the text from line and column (both from 0) on comes from; source is -1 for text that comes from nowhere.
type segment struct {
	line, column             int
	source, fromLine, fromAt int
}

var errMappings = errors.New("the mappings are malformed")

func parseSourceMap(text []byte) (*sourceMap, error) {
	var raw struct {
		Version    int      `json:"version"`
		SourceRoot string   `json:"sourceRoot"`
		Sources    []string `json:"sources"`
		Mappings   string   `json:"mappings"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, err
	}
	if raw.Version != 3 {
		return nil, fmt.Errorf("it is of version %d, not 3", raw.Version)
	}
	m := &sourceMap{sources: raw.Sources, segments: make([]segment, 0, strings.Count(raw.Mappings, ",")+strings.Count(raw.Mappings, ";")+1)}
	if raw.SourceRoot != "" {
		for i, s := range m.sources {
			m.sources[i] = strings.TrimSuffix(raw.SourceRoot, "/") + "/" + s
		}
	}
	source, fromLine, fromAt := 0, 0, 0
	line, column := 0, 0
	rest := raw.Mappings
	for rest != "" {
		switch rest[0] {
		case ';':
			line, column = line+1, 0
			rest = rest[1:]
			continue
		case ',':
			rest = rest[1:]
			continue
		}
		var fields [5]int
		n := 0
		for n < 5 && rest != "" && rest[0] != ',' && rest[0] != ';' {
			var ok bool
			if fields[n], rest, ok = readVLQ(rest); !ok {
				return nil, errMappings
			}
			n++
		}
		column += fields[0]
		s := segment{line: line, column: column, source: -1}
		switch n {
		case 1:
		case 4, 5:
			source, fromLine, fromAt = source+fields[1], fromLine+fields[2], fromAt+fields[3]
			if source < 0 || source >= len(m.sources) || fromLine < 0 || fromAt < 0 {
				return nil, errMappings
			}
			s.source, s.fromLine, s.fromAt = source, fromLine, fromAt
		default:
			return nil, errMappings
		}
		m.segments = append(m.segments, s)
	}
	sort.SliceStable(m.segments, func(i, j int) bool {
		a, b := &m.segments[i], &m.segments[j]
		return a.line < b.line || a.line == b.line && a.column < b.column
	})
	return m, nil
}

// readVLQ reads one base64 variable-length number.
func readVLQ(s string) (value int, rest string, ok bool) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var bits uint64
	for shift := 0; s != "" && shift < 35; shift += 5 {
		d := strings.IndexByte(digits, s[0])
		if d < 0 {
			return 0, s, false
		}
		s = s[1:]
		bits |= uint64(d&31) << shift
		if d&32 == 0 {
			value = int(bits >> 1)
			if bits&1 == 1 {
				value = -value
			}
			return value, s, true
		}
	}
	return 0, s, false
}

// at gives the authored place of a generated one; lines and columns count from 1.
func (m *sourceMap) at(line, column int) (file string, fromLine, fromColumn int, ok bool) {
	line, column = line-1, column-1
	i := sort.Search(len(m.segments), func(i int) bool {
		s := &m.segments[i]
		return s.line > line || s.line == line && s.column > column
	}) - 1
	if i < 0 || m.segments[i].line != line || m.segments[i].source < 0 {
		return "", 0, 0, false
	}
	s := m.segments[i]
	return m.sources[s.source], s.fromLine + 1, s.fromAt + 1, true
}
