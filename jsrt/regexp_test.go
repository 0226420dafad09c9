package jsrt

import (
	"errors"
	"strings"
	"testing"
)

func TestPropertyClassesMatchAsInNode(t *testing.T) {
	rt := start(t, Options{})
	for source, want := range map[string]string{
		`/\p{L}+/u.exec('1 été 2')[0]`:                               "été",
		`/^\P{L}+$/u.test('123 -')`:                                  "true",
		`/[^\p{L}\d]/u.exec('ab1-')[0]`:                              "-",
		`/[\P{Lu}]/u.exec('ABc')[0]`:                                 "c",
		`/\p{Lu}/iu.test('a')`:                                       "true",
		`/\p{Script=Greek}+/u.exec('abc αβγ')[0]`:                    "αβγ",
		`/\p{sc=Cyrl}/u.test('ж')`:                                   "true",
		`/\p{Emoji_Presentation}/u.exec('a😀b')[0]`:                   "😀",
		`/\p{Alphabetic}\p{White_Space}\p{ASCII}/u.test('é\u00a0x')`: "true",
		`new RegExp('\\p{Lu}', 'gu')[Symbol.replace]('aBcD', '_')`:   "a_c_",
		`RegExp('^\\p{N}+$', 'u').test('٣٤')`:                        "true",
		`'aÉb'.replace(/\p{Lu}/gu, m => '<' + m + '>')`:              "a<É>b",
		`'x é y'.split(/\p{L}+/u).length`:                            "4",
		`[...'aé1'.matchAll(/\p{L}/gu)].map(m => m[0]).join()`:       "a,é",
		`/\p{L}/u.source`:                                            `\p{L}`,
		`String(/\p{L}/gu)`:                                          `/\p{L}/gu`,
		`new RegExp(/\p{L}/u).source`:                                `\p{L}`,
		`new RegExp(/\p{L}/u, 'gu').test('é')`:                       "true",
		`new RegExp(/\p{L}/u, 'g').test('p{L}')`:                     "true",
		`/\p{L}/.test('p{L}')`:                                       "true",
		`(x => /\p{L}/u.test(x)).toString()`:                         `x => /\p{L}/u.test(x)`,
		`/a/.constructor === RegExp && /a/ instanceof RegExp`:        "true",
		`RegExp.prototype.constructor === RegExp`:                    "true",
		`const r = /q/; RegExp(r) === r`:                             "true",
		`class R extends RegExp { hi() { return 1 } } new R('\\p{L}', 'u').test('é') + '' + new R('a').hi()`: "true1",
		`(() => { const local = 'é'; return eval('/\\p{L}/u.test(local)') })()`:                              "true",
		`new Function('x', 'return /\\p{L}/u.test(x)')('é')`:                                                 "true",
		`(async () => (async () => {}).constructor('x', 'return /\\p{L}/u.test(x)')('é'))()`:                 "true",
		`RegExp.escape('a.b-c')`:                        `\x61\.b\x2dc`,
		`/(?<year>\d{4})/u.exec('in 2024').groups.year`: "2024",
		`/\p{L}(?=!)/u.exec('ab!')[0]`:                  "b",
		`/(?<=\p{Sc})\d+/u.exec('cost €42')[0]`:         "42",
		`/a/.flags + /a/gimsuy.flags`:                   "gimsuy",
		`/a/.hasIndices`:                                "false",
	} {
		wantEval(t, rt, source, want)
	}
}

func TestRegExpsThatCannotBeHonouredSaySo(t *testing.T) {
	rt := start(t, Options{})
	for source, want := range map[string]string{
		`/a/v`:                            "the regular expression flag v is not supported",
		`/a/d`:                            "the regular expression flag d is not supported",
		`new RegExp('a', 'v')`:            "the regular expression flag v is not supported",
		`RegExp('a', 'gd')`:               "the regular expression flag d is not supported",
		`/\p{Script_Extensions=Greek}/u`:  `the property \p{Script_Extensions=Greek} is not known here`,
		`new RegExp('\\p{Nonsense}','u')`: `the property \p{Nonsense} is not known here`,
		`RegExp.$1`:                       "RegExp.$1 is not supported",
	} {
		_, err := eval(t, rt, source)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, want) {
			t.Errorf("%s: got %v", source, err)
		}
	}
}
