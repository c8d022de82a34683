package adapter_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// A check joins its Vary with that of what is around it.
func TestSetFieldsJoinsVary(t *testing.T) {
	b := coretest.Bound(verso.MustNew(verso.First(verso.Header("Api-Version"), verso.AcceptParam("v")), coretest.WithDefault("v1")))
	_, call := coretest.Begin(b, coretest.Ask{}.Request())
	for _, test := range []struct{ before, want []string }{
		{nil, []string{"Accept, Api-Version"}},
		{[]string{"Origin"}, []string{"Origin, Accept, Api-Version"}},
		{[]string{"Origin", "accept"}, []string{"Origin, accept, Api-Version"}},
		{[]string{"*"}, []string{"*"}},
	} {
		w := httptest.NewRecorder()
		header := w.Header()
		header["Vary"] = test.before
		call.Fields.Set(w.Header())
		call.Fields.Set(w.Header()) // as two checks of one request
		if !slices.Equal(header["Vary"], test.want) {
			t.Errorf("Vary %q became %q, want %q", test.before, header["Vary"], test.want)
		}
		header.Add("Vary", "Cookie")
	}
	if got := coretest.Varies(call); !slices.Equal(got, []string{"Accept", "Api-Version"}) {
		t.Errorf("another response has %q", got)
	}
}

// A response that depends on what is stored for a caller, whom no header names, is in no shared cache.
func TestPrivate(t *testing.T) {
	inHeader, stored := verso.Header("Api-Version"), verso.Stored("pin")
	for name, from := range map[string]source.Source{
		"private":                    stored,
		"private, the last one read": verso.First(inHeader, stored),
		"private, the first one":     verso.First(stored, inHeader),
		"not read":                   verso.First(verso.HostLabel(`(v2)\.example\.com`), stored),
		"named by a header":          verso.Stored("pin", "Authorization"),
	} {
		r := httptest.NewRequest(http.MethodGet, "http://v2.example.com/", nil)
		r = r.WithContext(context.WithValue(r.Context(), "pin", "v2")) //nolint:staticcheck // frameworks have texts
		_, call := coretest.Begin(coretest.Bound(verso.MustNew(from, coretest.WithDefault("v1", "v2"))), versotest.Request(r, nil, nil))
		header := http.Header{}
		call.Fields.Set(header)
		if got := header.Get("Cache-Control") == "private"; got != strings.HasPrefix(name, "private") {
			t.Errorf("%s: %q", name, header)
		}
	}
}
