package usage_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

// TestPageWithoutWhatItNeeds asks pages of a service that has left out a field.
func TestPageWithoutWhatItNeeds(t *testing.T) {
	dates := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}})
	open := func(context.Context) (usage.Reader, error) { return nil, nil }
	for name, page := range map[string]*usage.Page{
		"all":       {},
		"Catalogue": {Clock: time.Now, Open: open},
		"Clock":     {Catalogue: dates, Open: open},
		"Open":      {Catalogue: dates, Clock: time.Now},
	} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/usage?ready=v1", nil))
			assert.Equal(t, http.StatusInternalServerError, w.Code)
			assert.Contains(t, w.Body.String(), "a Page needs its Catalogue, its Clock and Open")
		})
	}
}
