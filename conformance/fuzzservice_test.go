package conformance_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// TestFuzzServices breaks the reference adapter, and sees that random requests to random
// services notice.
func TestFuzzServices(t *testing.T) {
	conformance.Quiet(t)
	for name, broken := range map[string]mutation{
		"options ignored": {options: func(conformance.Route) []verso.RouteOption { return nil }},
		"options of the route for another method": {options: func(r conformance.Route) []verso.RouteOption {
			if r.Method == http.MethodHead {
				return nil
			}
			return r.Options
		}},
		"HEAD not checked":            {exempt: func(r *matched) bool { return r.Method == http.MethodHead }},
		"rejections reach handlers":   {continues: true},
		"kept requests are ended":     {ends: true},
		"the newest version in place": {version: func(v verso.Version) verso.Version { return drop(v, "v1", "1", "2024a") }},
		"no middleware of groups": {group: func(method string, outer, made *scope) {
			if method == "Group" {
				made.before = outer.before
			}
		}},
		"one path for each version": {forms: func(forms []string) []string { return forms[len(forms)-1:] }},
		"the last header line":      {reader: lastLine{}},
	} {
		t.Run(name, func(t *testing.T) {
			err := conformance.Attack(t, 200, mounting(broken))
			if err == nil {
				t.Error("does not notice")
			}
			t.Logf("%.400v", err)
		})
	}
	if err := conformance.Attack(t, 200, mountReference); err != nil {
		t.Error(err)
	}
}

// lastLine reads the last line of a header field.
type lastLine struct{ facts }

func (lastLine) Header(request any, name string) (value string, ok bool) {
	value, ok = referenceFacts.Header(request, name)
	return value[strings.LastIndex(value, ", ")+1:], ok
}
