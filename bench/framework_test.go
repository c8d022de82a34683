// Package bench holds the benchmarks of Verso, beside the frameworks' own floor,
// the same thing written by hand and other libraries, and the tests that bound
// what Verso allocates. Command bench runs the benchmarks and judges them; load and soak put servers under load.
package bench

import (
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
)

// framework builds services with one route, that of a scheme. Each of them
// has a handler that writes nothing.
type framework struct {
	name   string
	bare   func(*schemeCase) http.Handler // the framework alone
	nop    func(*schemeCase) http.Handler // with a middleware that does nothing
	store  func(*schemeCase) http.Handler // with a middleware that keeps a pointer in the framework's own store; the handler reads it
	verso  func(*schemeCase) http.Handler // with Verso; the handler reads the version
	byHand func(*schemeCase) http.Handler // with a middleware that does the same the usual way; the handler reads the version
}

var frameworks = []*framework{inEcho, inEcho5, inGin, inHTTP}

// What the handlers read, kept so that the compiler cannot leave it out.
var (
	keptPointer *int
	keptVersion verso.Version
	keptText    string
)

// constant is what the services that only store something store.
var constant = new(int)

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	m.Run()
}

// TestServices makes sure that the services do what the benchmarks say.
func TestServices(t *testing.T) {
	for _, f := range frameworks {
		for _, s := range schemeCases {
			t.Run(f.name+"/"+s.name, func(t *testing.T) {
				for name, service := range map[string]http.Handler{
					"bare": f.bare(s), "nop": f.nop(s), "store": f.store(s), "verso": f.verso(s), "byhand": f.byHand(s),
				} {
					keptPointer, keptVersion, keptText = nil, verso.Version{}, ""
					w := newDiscard()
					w.serve(service, s.request(t))
					assert.Contains(t, []int{0, http.StatusOK}, w.status, name)
					switch name {
					case "store":
						assert.Same(t, constant, keptPointer)
					case "verso":
						assert.Equal(t, verso.V("v2"), keptVersion)
					case "byhand":
						assert.Equal(t, "v2", keptText)
					}
				}
			})
		}
	}
}
