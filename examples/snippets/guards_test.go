package snippets

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/migratetest"
)

type room struct {
	Name string `json:"name"`
	Beds int    `json:"beds"`
}

var (
	ending = catalogue.Entry{Version: "v1", Deprecated: deprecated, Sunset: sunset, Successor: "v2"}
	noon   = versotest.NewClock(deprecated.AddDate(0, 0, -1)).Now
)

type roomList struct {
	Beds int `query:"beds"`
}

// newRooms is the service under test, with dates and a history.
func newRooms(clock func() time.Time, v1 catalogue.Entry) (http.Handler, *versohttp.Routes, *migrate.History) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{
		Clock: clock,
		Links: verso.LinkConfig{Origin: "https://api.example.com"},
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions:    []catalogue.Entry{v1, {Version: "v2"}},
			AfterSunset: catalogue.Gone,
		}),
	})
	total := migrate.Changed("Rooms have beds, not guests, and the total has another name.",
		migrate.For[room](migrate.Mapped("beds", bedsOf, guestsOf)), migrate.For[roomList](migrate.Mapped("beds", bedsOf, guestsOf)))
	history := verso.Must(migrate.New(api, migrate.Release("v2", total), migrate.Release("v1")))
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	route := history.Route(migrate.Query[roomList](), migrate.Returns[[]room](), migrate.Passes("text/plain"), total.ResponseHeader("X-Total", "X-Total-Count"))
	v.Rewrite(route).HandleFunc("GET /rooms", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("beds") == "" {
			http.Error(w, "how many beds?", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Total-Count", "1")
		_ = json.NewEncoder(w).Encode([]room{{"blue", 2}}) // the client may have disconnected
	})
	return mux, v, history
}

func bedsOf(guests int) (int, error) { return (guests + 1) / 2, nil }
func guestsOf(beds int) (int, error) { return beds * 2, nil }

func TestOldClients(t *testing.T) {
	service, v, history := newRooms(noon, ending)
	versotest.Golden(t, v.Explain(), "testdata/rooms.txt") // dates, paths, sources
	migratetest.Frozen(t, history, "testdata/contracts.json", v.Explain())
	migratetest.Examples(t, history, "testdata/examples.json", map[string]any{
		"room": room{Name: "blue", Beds: 2}, "list": roomList{Beds: 2},
	})
	migratetest.Checked(t, history, "testdata/contracts.json", v.Explain())
	for _, version := range history.Versions() {
		for target, status := range map[string]int{"/rooms?beds=2": http.StatusOK, "/rooms": http.StatusBadRequest} {
			r := httptest.NewRequest(http.MethodGet, target, nil)
			r.Header.Set("Api-Version", version.String())
			w := httptest.NewRecorder()
			service.ServeHTTP(w, r)
			assert.Equal(t, status, w.Code)
		}
	}
}

// A sunset a year earlier, and a deprecation that is dropped, are in what Explain says.
func TestGoldenSeesDates(t *testing.T) {
	kept, err := os.ReadFile("testdata/rooms.txt")
	require.NoError(t, err)
	for name, v1 := range map[string]catalogue.Entry{
		"earlier": {Version: "v1", Deprecated: deprecated, Sunset: deprecated.AddDate(0, 0, 1), Successor: "v2"}, "not deprecated": {Version: "v1", Sunset: sunset},
	} {
		_, v, _ := newRooms(noon, v1)
		assert.NotEqual(t, string(kept), v.Explain().String(), name)
	}
}
