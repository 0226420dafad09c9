package file

import (
	"encoding/json"
	"reflect"
)

// Object is what an output says of a collected file, in its `$file`.
type Object struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	MediaType   string `json:"media_type"`
	Size        int64  `json:"size"`
	SHA256      string `json:"sha256"`
	DownloadURL string `json:"download_url,omitempty"`
	ExpiresAt   string `json:"expires_at,omitempty"`
}

// Marker is the key of a file in an output.
const Marker = "$file"

// Output is the file as a script gets and returns it.
func (o Object) Output() json.RawMessage {
	text, err := json.Marshal(map[string]Object{Marker: o})
	if err != nil { // texts and a number always encode
		return nil
	}
	return text
}

// Uncollected looks for a file in an output that is none of those collected, whatever in it differs. It gives the id the output claims.
func Uncollected(output json.RawMessage, collected []Object) (id string, found bool) {
	var value any
	if len(output) == 0 || json.Unmarshal(output, &value) != nil {
		return "", false
	}
	known := make([]any, len(collected))
	for i, object := range collected {
		text, err := json.Marshal(object)
		if err != nil || json.Unmarshal(text, &known[i]) != nil {
			return object.ID, true
		}
	}
	return uncollected(value, known)
}

func uncollected(value any, known []any) (string, bool) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if id, found := uncollected(item, known); found {
				return id, true
			}
		}
	case map[string]any:
		for key, item := range v {
			if key == Marker {
				if !contains(known, item) {
					claimed, _ := item.(map[string]any)
					id, _ := claimed["id"].(string)
					return id, true
				}
				continue
			}
			if id, found := uncollected(item, known); found {
				return id, true
			}
		}
	}
	return "", false
}

func contains(known []any, item any) bool {
	for _, one := range known {
		if reflect.DeepEqual(one, item) {
			return true
		}
	}
	return false
}
