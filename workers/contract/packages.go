package contract

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// packageJSON is what resolving needs of a package's package.json.
type packageJSON struct {
	Main   string `json:"main"`
	Module string `json:"module"`
	// Exports keeps its keys' order, which decides between conditions.
	Exports     jsontext.Value  `json:"exports"`
	SideEffects json.RawMessage `json:"sideEffects"`
}

// packageName cuts a bare specifier into the package and the part of it: "@a/b/c" is "@a/b" and "./c".
func packageName(spec string) (name, part string) {
	end := strings.IndexByte(spec, '/')
	if strings.HasPrefix(spec, "@") && end >= 0 {
		if next := strings.IndexByte(spec[end+1:], '/'); next >= 0 {
			end += 1 + next
		} else {
			end = -1
		}
	}
	if end < 0 {
		return spec, "."
	}
	return spec[:end], "." + spec[end:]
}

// folders lists the node_modules folders an importer in dir looks into, nearest first.
func folders(dir string) []string {
	var out []string
	for {
		if path.Base(dir) != "node_modules" {
			out = append(out, path.Join(dir, "node_modules"))
		}
		if dir == "." || dir == "/" || dir == "" {
			return out
		}
		dir = path.Dir(dir)
	}
}

// packageRoot finds the folder of a package as an importer in dir sees it.
func (s *fileSet) packageRoot(name, dir string) (string, bool) {
	for _, folder := range folders(dir) {
		root := path.Join(folder, name)
		if _, ok := s.files[root+"/package.json"]; ok {
			return root, true
		}
	}
	return "", false
}

func (s *fileSet) hasPackage(name, dir string) bool {
	_, ok := s.packageRoot(name, dir)
	return ok
}

// packageFile finds the listed file that a bare specifier names.
func (s *fileSet) packageFile(spec, dir string) (string, bool) {
	name, part := packageName(spec)
	root, ok := s.packageRoot(name, dir)
	if !ok {
		return "", false
	}
	p := s.manifest(root)
	if p == nil {
		return "", false
	}
	if len(p.Exports) > 0 && string(p.Exports) != "null" {
		target, ok := exported(p.Exports, part)
		if !ok {
			return "", false
		}
		return s.file(path.Join(root, target), false)
	}
	if part != "." {
		return s.file(path.Join(root, part), true)
	}
	for _, main := range []string{p.Module, p.Main, "index.js"} {
		if main == "" {
			continue
		}
		if file, ok := s.file(path.Join(root, main), true); ok && within(root, file) {
			return file, true
		}
	}
	return "", false
}

func within(root, file string) bool { return strings.HasPrefix(file, root+"/") }

// manifest reads a package.json once; nil when it is not JSON.
func (s *fileSet) manifest(root string) *packageJSON {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.packages[root]; ok {
		return p
	}
	p := new(packageJSON)
	if err := json.Unmarshal(s.files[root+"/package.json"], p); err != nil {
		p = nil
	}
	s.packages[root] = p
	return p
}

// declaresOnly says whether a file's package promises that loading it does nothing.
func (s *fileSet) declaresOnly(file string) bool {
	at := strings.LastIndex("/"+file, "/node_modules/")
	if at < 0 {
		return false
	}
	rest := file[at+len("node_modules/"):]
	name, _ := packageName(rest)
	p := s.manifest(file[:at+len("node_modules/")] + name)
	if p == nil {
		return false
	}
	promise := strings.TrimSpace(string(p.SideEffects))
	return promise == "false" || promise == "[]"
}

// conditions that hold here, besides "default".
const conditions = " import module "

// maxExports bounds how deep an exports map may nest.
const maxExports = 16

// exported finds a package part in an exports map. The answer is a path inside the package.
func exported(raw jsontext.Value, part string) (string, bool) {
	keys, values, ok := object(raw)
	if !ok || len(keys) == 0 || !strings.HasPrefix(keys[0], ".") {
		// The map is of the package as a whole.
		if part != "." {
			return "", false
		}
		return target(raw, "", maxExports)
	}
	best, at := -1, ""
	for i, key := range keys {
		if key == part {
			return target(values[i], "", maxExports)
		}
		before, after, pattern := strings.Cut(key, "*")
		if !pattern || len(part) < len(before)+len(after) || !strings.HasPrefix(part, before) || !strings.HasSuffix(part, after) {
			continue
		}
		// The longest text before the star wins.
		if best < 0 || len(before) > len(strings.SplitN(keys[best], "*", 2)[0]) {
			best, at = i, part[len(before):len(part)-len(after)]
		}
	}
	if best < 0 {
		return "", false
	}
	return target(values[best], at, maxExports)
}

// target gives the path of an exports entry: a text, a list of which the first that works counts, or conditions in order.
func target(raw jsontext.Value, star string, depth int) (string, bool) {
	if depth == 0 {
		return "", false
	}
	switch raw.Kind() {
	case '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil || !strings.HasPrefix(text, "./") {
			return "", false
		}
		text = strings.ReplaceAll(text, "*", star)
		for _, segment := range strings.Split(text[2:], "/") {
			if segment == ".." || segment == "." || segment == "node_modules" {
				return "", false
			}
		}
		return text, true
	case '[':
		var list []jsontext.Value
		if err := json.Unmarshal(raw, &list); err != nil {
			return "", false
		}
		for _, one := range list {
			if found, ok := target(one, star, depth-1); ok {
				return found, true
			}
		}
	case '{':
		keys, values, ok := object(raw)
		if !ok {
			return "", false
		}
		for i, key := range keys {
			if key != "default" && !strings.Contains(conditions, " "+key+" ") {
				continue
			}
			if found, ok := target(values[i], star, depth-1); ok {
				return found, true
			}
		}
	}
	return "", false
}

// object reads a JSON object with its keys in order.
func object(raw jsontext.Value) (keys []string, values []jsontext.Value, ok bool) {
	d := jsontext.NewDecoder(strings.NewReader(string(raw)))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return nil, nil, false
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, nil, false
		}
		key := name.String()
		value, err := d.ReadValue()
		if err != nil {
			return nil, nil, false
		}
		keys, values = append(keys, key), append(values, value.Clone())
	}
	return keys, values, true
}
