package jsrt

import (
	"strings"
	"testing"
)

// The answers are Node's.
func TestLocaleFormattingIsNodes(t *testing.T) {
	rt := start(t, Options{})
	for _, c := range [][2]string{
		{"(1234.5).toLocaleString()", "1,234.5"},
		{"(1234567.891).toLocaleString('en-US')", "1,234,567.891"},
		{"(0.1+0.2).toLocaleString()", "0.3"},
		{"(1e21).toLocaleString()", "1,000,000,000,000,000,000,000"},
		{"(-0).toLocaleString()", "-0"},
		{"NaN.toLocaleString()", "NaN"},
		{"(1234.5).toLocaleString('en-US',{style:'currency',currency:'USD'})", "$1,234.50"},
		{"(-1234.5).toLocaleString('en-US',{style:'currency',currency:'EUR'})", "-€1,234.50"},
		{"(1234.567).toLocaleString('en-US',{style:'currency',currency:'JPY'})", "¥1,235"},
		{"(1234.5).toLocaleString('en-US',{style:'currency',currency:'CHF'})", "CHF 1,234.50"},
		{"(0.256).toLocaleString('en-US',{style:'percent'})", "26%"},
		{"(0.256).toLocaleString('en-US',{style:'percent',maximumFractionDigits:1})", "25.6%"},
		{"(1.005).toLocaleString('en-US',{maximumFractionDigits:2})", "1.01"},
		{"(2.5).toLocaleString('en-US',{maximumFractionDigits:0})", "3"},
		{"(5).toLocaleString('en-US',{minimumIntegerDigits:2})", "05"},
		{"(1234).toLocaleString('en-US',{useGrouping:false})", "1234"},
		{"(123456).toLocaleString('en-US',{maximumSignificantDigits:3})", "123,000"},
		{"(12).toLocaleString('en-US',{minimumFractionDigits:2})", "12.00"},
		{"(1234567).toLocaleString('en-US',{notation:'compact'})", "1.2M"},
		{"(12345).toLocaleString('en-US',{notation:'compact'})", "12K"},
		{"(999999).toLocaleString('en-US',{notation:'compact'})", "1M"},
		{"(1500).toLocaleString('en-US',{notation:'compact',compactDisplay:'long'})", "1.5 thousand"},
		{"(12345678901234567890n).toLocaleString()", "12,345,678,901,234,567,890"},
		{"(5).toLocaleString('en-US',{signDisplay:'always'})", "+5"},
		{"new Intl.NumberFormat('en-US').format(1234.5678)", "1,234.568"},
		{"new Date(0).toLocaleString('en-US',{timeZone:'UTC'})", "1/1/1970, 12:00:00 AM"},
		{"new Date(0).toLocaleDateString('en-US',{timeZone:'UTC'})", "1/1/1970"},
		{"new Date(0).toLocaleTimeString('en-US',{timeZone:'UTC'})", "12:00:00 AM"},
		{"new Date(1e12).toLocaleDateString('en-US',{weekday:'long',year:'numeric',month:'long',day:'numeric',timeZone:'UTC'})", "Sunday, September 9, 2001"},
		{"new Date(1e12).toLocaleDateString('en-US',{month:'short',day:'numeric',timeZone:'UTC'})", "Sep 9"},
		{"new Date(1e12).toLocaleDateString('en-US',{month:'long',year:'numeric',timeZone:'UTC'})", "September 2001"},
		{"new Date(1e12).toLocaleDateString('en-US',{weekday:'short',timeZone:'UTC'})", "Sun"},
		{"new Date(1e12).toLocaleDateString('en-US',{month:'2-digit',day:'2-digit',year:'numeric',timeZone:'UTC'})", "09/09/2001"},
		{"new Date(1e12).toLocaleDateString('en-US',{weekday:'short',month:'short',day:'numeric',timeZone:'UTC'})", "Sun, Sep 9"},
		{"new Date(1e12).toLocaleTimeString('en-US',{hour:'2-digit',minute:'2-digit',timeZone:'UTC'})", "01:46 AM"},
		{"new Date(1e12).toLocaleTimeString('en-US',{hour12:false,timeZone:'UTC'})", "01:46:40"},
		{"new Date(1e12).toLocaleString('en-US',{dateStyle:'full',timeStyle:'short',timeZone:'UTC'})", "Sunday, September 9, 2001 at 1:46 AM"},
		{"new Date(1e12).toLocaleString('en-US',{dateStyle:'medium',timeStyle:'medium',timeZone:'UTC'})", "Sep 9, 2001, 1:46:40 AM"},
		{"new Date(1e12).toLocaleString('en-US',{dateStyle:'short',timeZone:'UTC'})", "9/9/01"},
		{"new Date(1e12).toLocaleString('en-US',{dateStyle:'long',timeStyle:'long',timeZone:'UTC'})", "September 9, 2001 at 1:46:40 AM UTC"},
		{"new Date(1e12).toLocaleTimeString('en-US',{timeZone:'America/New_York',timeZoneName:'short'})", "9:46:40 PM EDT"},
		{"new Date(1e12).toLocaleString('en-US',{month:'long',timeZone:'UTC'})", "September"},
		{"new Date(1e12).toLocaleString('en-US',{year:'numeric',timeZone:'UTC'})", "2001"},
		{"new Date(1e12).toLocaleString('en-US',{hour:'numeric',timeZone:'UTC'})", "1 AM"},
		{"new Date(1e12).toLocaleString('en-US',{weekday:'long',hour:'numeric',timeZone:'UTC'})", "Sunday 1 AM"},
		{"new Date(1e12).toLocaleString('en-US',{month:'short',day:'numeric',hour:'numeric',minute:'2-digit',timeZone:'UTC'})", "Sep 9, 1:46 AM"},
		{"new Date(1e12).toLocaleString('en-US',{month:'long',day:'numeric',hour:'numeric',minute:'2-digit',timeZone:'UTC'})", "September 9 at 1:46 AM"},
		{"new Date(1e12).toLocaleString('en-US',{month:'long',day:'numeric',year:'numeric',hour:'numeric',minute:'2-digit',timeZone:'UTC'})", "September 9, 2001 at 1:46 AM"},
		{"new Date(1e12).toLocaleString('en-US',{second:'numeric',timeZone:'UTC'})", "40"},
		{"new Date(1e12).toLocaleString('en-US',{minute:'numeric',second:'numeric',timeZone:'UTC'})", "46:40"},
		{"new Date(NaN).toLocaleString('en-US')", "Invalid Date"},
		{"['b','a','C'].sort((x,y)=>x.localeCompare(y)).join('')", "abC"},
		{"'a10'.localeCompare('a9',undefined,{numeric:true})", "1"},
		{"'a'.localeCompare('Á','en',{sensitivity:'base'})", "0"},
		{"new Intl.PluralRules('en-US',{type:'ordinal'}).select(22)", "two"},
		{"new Intl.ListFormat('en').format(['a','b','c'])", "a, b, and c"},
		{"[1234.5,new Date(NaN)].toLocaleString()", "1,234.5,Invalid Date"},
		{"'İ'.toLocaleLowerCase('tr')+'i'.toLocaleUpperCase('tr')", "iİ"},
		{"new Date(1e12).toLocaleTimeString([], {hour: '2-digit', minute: '2-digit', timeZone:'UTC'})", "01:46 AM"},
		{"new Date(1e12).toLocaleString('en-US',{hour:'numeric',minute:'numeric',hour12:false,timeZone:'UTC'})", "01:46"},
		{"new Date(1e12-1000*3600*2).toLocaleString('en-US',{hour:'numeric',minute:'numeric',hour12:false,timeZone:'UTC'})", "23:46"},
	} {
		wantEval(t, rt, "String("+c[0]+")", c[1])
	}
}

func TestOtherLocalesAreRefusedByName(t *testing.T) {
	rt := start(t, Options{})
	for _, source := range []string{`(1).toLocaleString('de-DE')`, `new Date().toLocaleDateString('fr')`, `new Intl.NumberFormat('ar-EG')`,
		`new Intl.Segmenter('en')`, `'a'.localeCompare('b', 'sv')`, `(1).toLocaleString('en', { style: 'unit', unit: 'liter' })`} {
		if _, err := eval(t, rt, source); err == nil || !strings.Contains(err.Error(), "not supported in code that runs here") {
			t.Errorf("%s: %v", source, err)
		}
	}
}
