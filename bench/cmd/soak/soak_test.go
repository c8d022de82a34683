package main

import (
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
	"github.com/goverso/verso/locales"
)

func TestKinds(t *testing.T) {
	translator, err := locales.New()
	require.NoError(t, err)
	config := service.Config
	config.Translator = translator
	for _, f := range service.Frameworks[:2] {
		for i, s := range service.Schemes {
			address, stop, err := f.New(service.Options{Scheme: s, Variant: service.Verso, API: s.API(config), Answer: service.SayVersion}).Listen()
			require.NoError(t, err)
			defer stop()
			for n, k := range slices.Concat(ordinary, hostile) {
				t.Run(f.Name+"/"+s.Name+"/"+k.name, func(t *testing.T) {
					counted, addresses := newTally(), make([]string, len(service.Schemes))
					addresses[i] = address
					c := newClient(addresses, counted)
					defer c.http.CloseIdleConnections()
					c.send(t.Context(), k, i, n)
					assert.Empty(t, counted.first)
					assert.Equal(t, 1, counted.right[k.name])
				})
			}
		}
	}
}

// A kind that invents something must invent another thing each time, else the
// soak finds no memory that grows.
func TestInventions(t *testing.T) {
	for _, k := range hostile {
		t.Run(k.name, func(t *testing.T) {
			r, _ := k.make(service.Schemes[0], 1)
			other, _ := k.make(service.Schemes[0], 2)
			switch k.name {
			case "invented versions", "invented languages", "invented hosts":
				assert.NotEqual(t, r, other)
			case "Accept of 64 KiB":
				assert.Greater(t, len(r.Fields["Accept"]), 64<<10)
			case "Accept of 1,000 ranges":
				assert.Equal(t, 1001, 1+strings.Count(r.Fields["Accept"], ","))
			case "query of 9,900 pairs":
				assert.Equal(t, 9_900, strings.Count(r.Query, "="))
			default:
				t.Fatal("this kind has no check")
			}
		})
	}
}

func TestClient(t *testing.T) {
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		err     string // "" for none
	}{
		{"right", body(`{"version":"v2"}`), ""},
		{"another version", body(`{"version":"v1"}`), "version:v1"},
		{"no version", body(`{}`), "version:{}"},
		{"another status", http.NotFound, "status:404"},
		{"none", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
		{"a failure", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, "status:500"},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(test.handler)
			defer server.Close()
			counted := newTally()
			newClient([]string{server.Listener.Addr().String()}, counted).send(t.Context(), good, 0, 1)
			assert.Equal(t, test.err == "", counted.right[good.name] == 1)
			assert.Equal(t, test.err != "", counted.wrong[good.name] == 1)
			assert.Contains(t, counted.first, test.err)
			assert.Equal(t, test.name == "a failure", counted.failures == 1)
		})
	}
}

func body(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		name          string
		spoil         func(*soaked)
		correct, fast bool
	}{
		{"all is well", func(*soaked) {}, true, true},
		{"a wrong answer", func(s *soaked) { s.tally.wrong[good.name]++ }, false, true},
		{"a missing answer without Verso", func(s *soaked) { s.bare.wrong[good.name]++ }, false, true},
		{"an answer of 500", func(s *soaked) { s.tally.failures++ }, false, true},
		{"a heap that grows", func(s *soaked) { s.heap[1] += 1 << 20 }, false, true},
		{"a goroutine too many", func(s *soaked) { s.goroutines[1]++ }, false, true},
		{"a heap that shrinks", func(s *soaked) { s.heap[1] -= 1 << 19 }, true, true},
		{"a slow median", func(s *soaked) { s.p50[1][0] = 4 }, true, false},
		{"a slow percentile", func(s *soaked) { s.p99[1][0] = 4 }, true, false},
		{"a percentile of nothing", func(s *soaked) { s.p99[1][0] = math.NaN() }, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &soaked{
				framework: "echo", bare: newTally(), tally: newTally(), heap: []uint64{1 << 20, 1 << 20}, goroutines: []uint64{9, 9},
				p50: [2]report.Sample{{1}, {1}}, p99: [2]report.Sample{{1}, {1}},
			}
			test.spoil(s)
			for _, mustBeFast := range []bool{false, true} {
				_, bounds := judge([]*soaked{s}, mustBeFast)
				holds := true
				for _, b := range bounds {
					holds = holds && (b.Holds() || !b.Required)
				}
				assert.Equal(t, test.correct && (test.fast || !mustBeFast), holds)
			}
		})
	}
}
