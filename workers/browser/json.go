package browser

import (
	jsonv2 "github.com/go-json-experiment/json"
)

// marshal is the JSON of a value of this package, whose types cannot fail.
func marshal(v any) []byte {
	raw, err := jsonv2.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return raw
}

func unmarshal(raw []byte, v any) error { return jsonv2.Unmarshal(raw, v) }
