package unmatched

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
)

var methods = []string{"GET", "POST", "PUT", "DELETE"}

// TestAllowIsTrue makes random services: see random.
func TestAllowIsTrue(t *testing.T) { testServices(t, 1, 60) }

// TestLongAllowIsTrue makes many with other seeds.
func TestLongAllowIsTrue(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("set VERSO_LONG to make 10,000 services")
	}
	testServices(t, 2, 10_000)
}

// testServices asks paths of random services with all methods: what an Allow field lists must be
// exactly what the path serves in this version; HEAD must be as GET where the framework serves it
// so; only a 405 has the field; and no request to a path of routes without a version is rejected.
// What the framework by itself gets wrong with the same routes does not count.
func testServices(t *testing.T, kind uint64, services int) {
	t.Helper()
	asked, left := 0, 0
	for seed := range uint64(services) {
		random := rand.New(rand.NewPCG(seed, kind))
		s, byPath := newService(random)
		targets := make([][2]string, 6) // and versions
		for i := range targets {
			targets[i] = target(random, byPath)
		}
		for framework := range frameworks.All {
			do, bare := serve(framework, s, false), serve(framework, s, true)
			if do == nil || bare == nil {
				continue // it does not take the routes
			}
			for _, at := range targets {
				got := askAll(do, byPath, at[0], at[1])
				asked += len(got)
				for complaint := range complaints(framework, s, got, at[0]) {
					if own := askAll(bare, byPath, at[0], at[1]); complaints(framework, s, own, at[0])[complaint] {
						left++
						continue
					}
					t.Errorf("seed %d, %d, %s: %s %s: %s\n%s", seed, kind, framework, at[0], at[1], complaint, show(s))
				}
			}
			if t.Failed() && seed > 60 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d requests, %d complaints about the framework itself", asked, left)
}

func pick(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }

// newService returns a service with random routes.
func newService(random *rand.Rand) (s service, byPath bool) {
	segments := []string{"users", "rooms", "{id}", "search", "v2", "health"}
	byPath = random.IntN(2) == 0
	s = service{source: verso.Header("Api-Version"), names: v123}
	switch {
	case byPath && random.IntN(3) == 0:
		s.source = verso.First(verso.PathParam("version"), verso.Header("Api-Version"))
	case byPath:
		s.source = verso.PathParam("version")
	}
	seen := map[string]bool{}
	for range 3 + random.IntN(6) {
		path := "/" + pick(random, segments)
		for depth := 0; depth < 2 && random.IntN(5) < 2; depth++ {
			path += "/" + strings.Replace(pick(random, segments), "{id}", []string{"{name}", "{more}"}[depth], 1) //nolint:perfsprint // short
		}
		p := place{method: pick(random, methods), path: path}
		switch random.IntN(7) {
		case 0:
			p.options = neutral
		case 1:
			p.foreign = true
		case 2:
			p.options = since
		case 3:
			p.options = []verso.RouteOption{verso.RemovedIn("v3")}
		}
		isNeutral := len(p.options) > 0 && &p.options[0] == &neutral[0]
		if byPath && !p.foreign && !isNeutral && (p.options != nil || random.IntN(5) > 0) { // else an unversioned twin
			p.path = "/{version}" + p.path
		}
		if !seen[p.method+shape(p.path)] {
			seen[p.method+shape(p.path)] = true
			s.routes = append(s.routes, p)
		}
	}
	// Fiber takes the first route that has the path, so it gets fixed text first, as the other routers.
	slices.SortStableFunc(s.routes, func(a, b place) int { return strings.Compare(rankOf(shape(a.path)), rankOf(shape(b.path))) })
	return s, byPath
}

// target returns a path and a version.
func target(random *rand.Rand, byPath bool) [2]string {
	segments := []string{"users", "rooms", "7", "search", "v2", "health"}
	path, version := "", pick(random, []string{"v1", "v2", "v3", "v9"})
	for depth := range 3 {
		if depth == 0 || random.IntN(5) < 2 {
			path += "/" + pick(random, segments) //nolint:perfsprint // short
		}
	}
	if byPath && random.IntN(3) > 0 {
		path = "/" + version + path
	}
	return [2]string{path, version}
}

// serve returns the service in a framework, or that of the framework alone, which has its routes
// in all versions. It returns nil if the framework does not take the routes.
func serve(framework string, s service, bare bool) (do doer) {
	defer func() {
		if recover() != nil {
			do = nil
		}
	}()
	if bare {
		s.routes = slices.Clone(s.routes)
		for i := range s.routes {
			s.routes[i].foreign = true
		}
	}
	api := verso.MustNew(s.source, quiet(verso.Config{Clock: now, Catalogue: ended(s.names...), DefaultVersion: verso.V("v2")}))
	return over(frameworks.All[framework](api, app(s, !bare)))
}

// reply is the response to a method.
type reply struct {
	status int
	code   string
	allow  []string // nil: there is none
}

func askAll(do doer, byPath bool, target, version string) map[string]reply {
	all := make(map[string]reply)
	for _, method := range append(methods, "HEAD") {
		r := httptest.NewRequest(method, target, nil)
		if !byPath {
			r.Header.Set("Api-Version", version)
		}
		status, body, header := recovered(do)(r)
		got := reply{status: status}
		if _, code, ok := strings.Cut(body, `"code":"`); ok {
			got.code, _, _ = strings.Cut(code, `"`)
		}
		if lines := header["Allow"]; lines != nil {
			got.allow = strings.Split(strings.ReplaceAll(strings.Join(lines, ","), " ", ""), ",")
		}
		all[method] = got
	}
	return all
}

// recovered returns 599 for a panic, as Gin has one for some trees of routes.
func recovered(do doer) doer {
	return func(r *http.Request) (status int, body string, header http.Header) {
		defer func() {
			if recover() != nil {
				status = 599
			}
		}()
		return do(r)
	}
}

// complaints returns what is wrong with the responses to the methods of a path.
func complaints(framework string, s service, all map[string]reply, target string) map[string]bool {
	wrong := make(map[string]bool)
	for method, got := range all {
		if (got.allow == nil) != (got.status != http.StatusMethodNotAllowed) {
			wrong[fmt.Sprintf("%s: %d with Allow %q", method, got.status, got.allow)] = true
		}
		if got.status >= 500 {
			wrong[fmt.Sprintf("%s: %d", method, got.status)] = true
		}
		for _, other := range methods {
			listed := slices.Contains(got.allow, other)
			// What two patterns read differently, one as a version, is not compared. Echo lists the
			// methods of the nearest pattern alone, and its last parameter takes several segments.
			isRejected := strings.HasPrefix(all[other].code, "invalid_") || all[other].code == "version_gone"
			if got.allow == nil || other == method || isRejected || strings.HasPrefix(framework, "echo") && (!listed || takesRest(s, target)) {
				continue
			}
			if serves := all[other].status < 300; serves != listed {
				wrong[fmt.Sprintf("%s: Allow lists %s: %v, and it is %d %s", method, other, listed, all[other].status, all[other].code)] = true
			}
		}
	}
	if (framework == "http" || framework == "fiber") && all["HEAD"].status != all["GET"].status {
		wrong[fmt.Sprintf("HEAD is %d, GET %d", all["HEAD"].status, all["GET"].status)] = true
	}
	return wrong
}

// takesRest reports whether the last parameter of a route takes several segments of a path in Echo.
func takesRest(s service, target string) bool {
	return slices.ContainsFunc(s.routes, func(p place) bool {
		return strings.HasSuffix(p.path, "}") && strings.Count(p.path, "/") < strings.Count(target, "/")
	})
}

func shape(path string) string {
	return strings.NewReplacer("{id}", "{}", "{name}", "{}", "{more}", "{}", "{version}", "{}").Replace(path)
}

// rankOf orders fixed text before parameters.
func rankOf(path string) string { return strings.ReplaceAll(path, "{", "~") }

func show(s service) string {
	lines := []string{"  " + strings.Join(s.source.Describe().Headers, ", ") + " " + s.source.Describe().Name}
	for _, p := range s.routes {
		kind := fmt.Sprint(len(p.options), " options")
		switch {
		case p.foreign:
			kind = "foreign"
		case len(p.options) > 0 && &p.options[0] == &neutral[0]:
			kind = "neutral"
		case len(p.options) > 0 && &p.options[0] == &since[0]:
			kind = "since v3"
		case len(p.options) > 0:
			kind = "removed in v3"
		}
		lines = append(lines, "  "+p.method+" "+p.path+" "+kind)
	}
	return strings.Join(lines, "\n")
}
