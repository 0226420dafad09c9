package playwright

import (
	"context"
	"regexp"
	"strings"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

// urlMatch reads a glob, regular expression or function of a URL.
func (a *args) urlMatch(v goja.Value) browser.URLMatch {
	switch {
	case absent(v):
		return browser.URLMatch{}
	case goja.IsString(v):
		return browser.URLMatch{Glob: v.String()}
	}
	o, ok := v.(*goja.Object)
	if ok && tag(o) == "RegExp" {
		shown := "/" + textOf(o, "source") + "/" + textOf(o, "flags")
		return browser.URLMatch{Text: shown, ID: shown, Match: a.m.urlPredicate(func(url string) (goja.Value, error) {
			return a.m.test(o, url)
		})}
	}
	if f, callable := goja.AssertFunction(v); callable {
		return browser.URLMatch{ID: o, Match: a.m.urlPredicate(func(url string) (goja.Value, error) {
			u, err := a.m.vm.New(a.m.vm.Get("URL"), a.m.vm.ToValue(url))
			if err != nil {
				return nil, err
			}
			return f(goja.Undefined(), u)
		})}
	}
	a.failPlain("url parameter should be string, RegExp, URLPattern or function")
	return browser.URLMatch{}
}

// test asks a regular expression, whatever its lastIndex.
func (m *mapping) test(re *goja.Object, text string) (goja.Value, error) {
	if err := re.Set("lastIndex", 0); err != nil {
		return nil, err
	}
	return m.builtins.regexpTest(re, m.vm.ToValue(text))
}

func (m *mapping) urlPredicate(f func(url string) (goja.Value, error)) func(ctx context.Context, url string) (bool, error) {
	return func(ctx context.Context, url string) (took bool, err error) {
		err = m.script(ctx, func(*goja.Runtime) (goja.Value, error) { return f(url) }, func(_ *goja.Runtime, v goja.Value) error {
			took = v.ToBoolean()
			return nil
		})
		return took, err
	}
}

// matchesNow judges a URL on the owner, for the calls that answer at once.
func (a *args) matchesNow(v goja.Value, url string) bool {
	switch {
	case absent(v):
		return true
	case goja.IsString(v):
		return globMatches(v.String(), url)
	}
	if o, ok := v.(*goja.Object); ok && tag(o) == "RegExp" {
		took, err := a.m.test(o, url)
		if err != nil {
			panic(err)
		}
		return took.ToBoolean()
	}
	f, ok := goja.AssertFunction(v)
	if !ok {
		a.failPlain("url parameter should be string, RegExp, URLPattern or function")
	}
	u, err := a.m.vm.New(a.m.vm.Get("URL"), a.m.vm.ToValue(url))
	if err != nil {
		panic(err)
	}
	took, err := f(goja.Undefined(), u)
	if err != nil {
		panic(err)
	}
	return took.ToBoolean()
}

// globMatches judges an absolute glob: * within a path segment, ** across them, {a,b} either.
func globMatches(glob, url string) bool {
	if glob == "" {
		return true
	}
	var b strings.Builder
	b.WriteByte('^')
	group := false
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '*' && strings.HasPrefix(glob[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case c == '*' && strings.HasPrefix(glob[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '{':
			group = true
			b.WriteString("(?:")
		case c == '}' && group:
			group = false
			b.WriteByte(')')
		case c == ',' && group:
			b.WriteByte('|')
		default:
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		}
	}
	re, err := regexp.Compile(b.String() + "$")
	return err == nil && (re.MatchString(url) || url == glob+"/")
}

// textOf reads what getByText and its kind look for: a string or regular expression, and {exact}.
func (a *args) textOf(v goja.Value, name string, exact bool) browser.Text {
	if goja.IsString(v) {
		return browser.Text{String: v.String(), Exact: exact}
	}
	if o, ok := v.(*goja.Object); ok && tag(o) == "RegExp" {
		return browser.Text{RegExp: &browser.RegExp{Source: textOf(o, "source"), Flags: textOf(o, "flags")}}
	}
	a.fail("%s: expected string or RegExp, got %s", name, typeName(v))
	return browser.Text{}
}
