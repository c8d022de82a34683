package conformance_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// mounting mounts the reference adapter with a mutation.
func mounting(m mutation) conformance.Mount {
	return func(tb testing.TB, app conformance.App) http.Handler {
		tb.Helper()
		return mountMutant(tb, app, m)
	}
}

// TestConcurrentCatches sees that Concurrent notices adapters that mix up
// requests, and one that leaves goroutines behind.
func TestConcurrentCatches(t *testing.T) {
	for _, test := range []struct {
		name     string
		mutation func(*testing.T) mutation
	}{
		{"version in a shared variable", func(*testing.T) mutation {
			var shared atomic.Pointer[verso.Version]
			return mutation{
				version: func(v verso.Version) verso.Version {
					shared.Store(&v)
					return v
				},
				reverse: func(r *reference, target verso.Target) (string, error) {
					r.version = *shared.Load()
					return r.versioning.Reverse(r, r.Request, target)
				},
			}
		}},
		{"language of another refusal", func(*testing.T) mutation {
			var last atomic.Value
			last.Store("en")
			return mutation{problem: func(_ *verso.Problem, header http.Header) {
				header.Set("Content-Language", last.Swap(header.Get("Content-Language")).(string))
			}}
		}},
		{"a goroutine left behind", func(t *testing.T) mutation {
			t.Helper()
			end := make(chan struct{})
			t.Cleanup(func() { close(end) })
			return mutation{around: func(r *http.Request, serve func(*http.Request)) {
				go func() { <-end }()
				serve(r)
			}}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			conformance.Hasten(t)
			err := conformance.CheckConcurrent(t, mounting(test.mutation(t)), "query_parameter")
			if err == nil {
				t.Fatal("Concurrent does not notice")
			}
			t.Logf("%.300v", err)
		})
	}
}

// TestFaultsCatches sees that Faults notices adapters that hide a fault, show
// it, or do not get over it.
func TestFaultsCatches(t *testing.T) {
	for _, test := range []struct {
		name     string
		mutation func(*testing.T) mutation
		caughtBy []string
	}{
		{
			name: "panics swallowed",
			mutation: func(*testing.T) mutation {
				return mutation{around: func(r *http.Request, serve func(*http.Request)) {
					defer func() { _ = recover() }()
					serve(r)
				}}
			},
			caughtBy: []string{"handler/panics", "handler/panics-in-its-answer", "scheme/panics", "reverser/panics", "translator/panics"},
		},
		{
			name: "the request of a scheme that failed used again",
			mutation: func(*testing.T) mutation {
				var pooled atomic.Pointer[reference]
				return mutation{
					request: func(r *reference) verso.Request {
						if pooled.CompareAndSwap(nil, r) {
							return r
						}
						return pooled.Load()
					},
					header: func(http.Header, bool) { pooled.Store(nil) },
				}
			},
			caughtBy: []string{"scheme/panics", "scheme/errs"},
		},
		{
			name: "an error of the scheme shown to the client",
			mutation: func(*testing.T) mutation {
				return mutation{failure: func(w http.ResponseWriter, err error) {
					http.Error(w, err.Error(), http.StatusInternalServerError)
				}}
			},
			caughtBy: []string{"scheme/errs"},
		},
		{
			name: "an error of the scheme taken for no version",
			mutation: func(*testing.T) mutation {
				return mutation{failure: func(w http.ResponseWriter, _ error) {
					_, _ = fmt.Fprintf(w, "%#v", verso.Version{})
				}}
			},
			caughtBy: []string{"scheme/errs", "scheme/returns-nil-refusal", "scheme/refuses-without-status", "scheme/refuses-with-200"},
		},
		{
			name: "the version of the scheme judged again",
			mutation: func(*testing.T) mutation {
				return mutation{version: func(v verso.Version) verso.Version { return drop(v, "v0", "") }}
			},
			caughtBy: []string{"scheme/returns-version-not-allowed", "scheme/returns-empty-version"},
		},
		{
			name: "the language of a translator sent as it stands",
			mutation: func(*testing.T) mutation {
				return mutation{header: func(h http.Header, refused bool) {
					if refused && h.Get("Content-Language") == "" {
						h.Set("Content-Language", "de\r\nX-Evil: 1")
					}
				}}
			},
			caughtBy: []string{"translator/returns-line-break", "translator/returns-no-language", "translator/returns-nothing"},
		},
		{
			name: "handlers not told that the client is gone",
			mutation: func(t *testing.T) mutation {
				t.Helper()
				ctx, cancel := context.WithCancel(context.Background())
				t.Cleanup(cancel)
				return mutation{around: func(r *http.Request, serve func(*http.Request)) { serve(r.WithContext(ctx)) }}
			},
			caughtBy: []string{"client/leaves-before-its-answer"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			conformance.Hasten(t)
			mount := mounting(test.mutation(t))
			for _, name := range test.caughtBy {
				err := conformance.CheckFault(t, mount, name)
				if err == nil {
					t.Errorf("Faults does not notice in %s", name)
				}
				t.Logf("%s: %.200v", name, err)
			}
		})
	}
}

// TestCachingCatches sees that Caching notices adapters with a Vary that is
// wrong.
func TestCachingCatches(t *testing.T) {
	without := mounting(mutation{header: func(h http.Header, _ bool) { h.Del("Vary") }})
	onServed := mounting(mutation{header: func(h http.Header, refused bool) {
		if !refused {
			h.Add("Vary", "Accept-Language")
		}
	}})
	for _, test := range []struct {
		name     string
		mount    conformance.Mount
		caughtBy string
		status   int
	}{
		{"none, header absent", without, "accept_header/absent", http.StatusOK},
		{"none on 304", without, "accept_header/served", http.StatusNotModified},
		{"none on a failure", without, "accept_header/any", http.StatusInternalServerError},
		{"none on a refusal", without, "url_path/refused", http.StatusOK},
		{"more than is read", onServed, "query_parameter/absent", http.StatusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := conformance.CheckCaching(t, mountReference, test.caughtBy, test.status); err != nil {
				t.Errorf("the reference adapter: %v", err)
			}
			if err := conformance.CheckCaching(t, test.mount, test.caughtBy, test.status); err == nil {
				t.Error("Caching does not notice")
			}
		})
	}
}

// TestStrictnessCatches sees that Strictness notices an adapter that leaves it
// out, and one that always has it.
func TestStrictnessCatches(t *testing.T) {
	with := func(change func(*conformance.App)) conformance.Mount {
		return func(tb testing.TB, app conformance.App) http.Handler {
			tb.Helper()
			change(&app)
			return mountReference(tb, app)
		}
	}
	never := with(func(app *conformance.App) { app.Strict = verso.Strictness{} })
	always := with(func(app *conformance.App) { app.Strict.RefuseEmpty = true })
	for _, test := range []struct {
		name     string
		mount    conformance.Mount
		caughtBy string
	}{
		{"contradictions served", never, "contradiction-in-query"},
		{"empty versions served", never, "empty-in-accept"},
		{"unknown hosts served", never, "unknown-host"},
		{"strict by default", always, "empty-in-query"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := conformance.CheckStrictness(t, test.mount, test.caughtBy); err == nil {
				t.Error("Strictness does not notice")
			}
		})
	}
}
