package adapter_test

import (
	"net/http/httptest"
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
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
