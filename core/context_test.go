package verso_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
)

// What a handler finds in a context is what the adapter's own functions say.
func TestFromContext(t *testing.T) {
	source := verso.First(verso.PathParam("version"), verso.MediaType("application/vnd.acme.{version}+json"))
	b := coretest.Bound(verso.MustNew(source, coretest.List("v1", "v2")), route.Route{Name: "user", Pattern: route.Colons("/:version/users/:id")})
	target := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	r := coretest.Host("api.example.com").Request()
	kept := verso.Must(b.Result(verso.V("v2")))

	type key struct{}
	r.SetHTTP(httptest.NewRequest(http.MethodGet, "http://api.example.com/", nil).WithContext(context.WithValue(t.Context(), key{}, "another's")), nil, nil)
	ctx, cancel := context.WithCancel(adapter.NewContext(kept, r))
	result, ok := verso.FromContext(ctx)
	if !ok || !result.Version().Is("v2") || !result.AtLeast("v1") || ctx.Value(key{}) != "another's" {
		t.Errorf("%v, version %q, value %v", ok, result.Version(), ctx.Value(key{}))
	}
	if contentType, err := result.ContentType(""); contentType != "application/vnd.acme.v2+json" || err != nil {
		t.Errorf("content type %q, %v", contentType, err)
	}
	var handlers sync.WaitGroup // generated code may start goroutines with the context
	for range 4 {
		handlers.Go(func() {
			got, err := result.Link(target)
			if want, _ := adapter.LinkFor(kept, r, target); got != want || got != "http://api.example.com/v2/users/7" || err != nil {
				t.Errorf("link %q, %v, want %q", got, err, want)
			}
		})
	}
	handlers.Wait()
	if cancel(); r.Context().Err() != nil || ctx.Err() == nil {
		t.Error("the context is not that of the request")
	}
	if got, err := kept.Link(target); got != "/v2/users/7" || err != nil {
		t.Errorf("without its request: %q, %v", got, err)
	}
}

// A request that was not checked, or was rejected, has no result in its context.
func TestFromContextUnchecked(t *testing.T) {
	b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1")))
	_, c := coretest.Begin(b, coretest.Field("v9").Request())
	for name, kept := range map[string]*verso.Result{"not checked": nil, "rejected": c.Kept} {
		if result, ok := verso.FromContext(adapter.NewContext(kept, coretest.Field("v9").Request())); ok || result != nil {
			t.Errorf("%s: %v", name, result.Version())
		}
	}
}

// Who asks for it pays for one allocation.
func TestNewContextAllocs(t *testing.T) {
	b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1")))
	kept, r := verso.Must(b.Result(verso.V("v1"))), coretest.Field("v1").Request()
	if got := testing.AllocsPerRun(100, func() { adapter.NewContext(kept, r) }); got != 1 {
		t.Errorf("%v allocations", got)
	}
}
