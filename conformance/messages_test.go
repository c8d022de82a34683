package conformance_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// TestMessages checks the messages of failures.
func TestMessages(t *testing.T) {
	conformance.Quiet(t)
	for name, test := range map[string]struct {
		mutation mutation
		subtest  string
		want     string
	}{
		"a link's own error": {
			mutation{link: func(*matched, verso.Target) (string, error) { return "", errors.New("install the middleware") }},
			"links/url_path/other-version", `error "another" ("install the middleware"), instead of`,
		},
		"a fault's response": {
			mutation{failure: func(w http.ResponseWriter, _ error) { _, _ = io.WriteString(w, "all is well") }},
			"faults/source/fails", `body "all is well"`,
		},
		"a missing member": {
			mutation{missing: func(w http.ResponseWriter, _ func()) { _, _ = io.WriteString(w, "{}") }},
			"registered/unmatched/unknown", `code is missing instead of "invalid_header_version"`,
		},
		"a fault's request": {
			mutation{problem: func(p *verso.Problem) { p.Detail = "no" }},
			"faults/translator/returns-no-messages", `"Accept-Language: x-empty"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := conformance.CheckSubtest(t, mounting(test.mutation), test.subtest)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("there is no %q in: %v", test.want, err)
			}
		})
	}
}
