package unmatched

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// TestAllowIsTrue makes random services, and asks paths with all methods: what an Allow field
// lists must be exactly what the path serves in this version; HEAD must be as GET where the
// framework serves it so; and no request to a path of routes without a version is rejected.
func TestAllowIsTrue(t *testing.T) {
	methods := []string{"GET", "POST", "PUT", "DELETE"}
	segments := []string{"users", "rooms", "{id}", "search", "v2", "health"}
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		pick := func(from []string) string { return from[random.IntN(len(from))] }
		byPath := random.IntN(2) == 0
		s := service{source: verso.Header("Api-Version"), names: v123}
		if byPath {
			s.source = verso.PathParam("version")
		}
		seen := map[string]bool{}
		for range 3 + random.IntN(6) {
			path := "/" + pick(segments)
			if random.IntN(2) == 0 {
				path += "/" + strings.Replace(pick(segments), "{id}", "{name}", 1)
			}
			p := place{method: pick(methods), path: path}
			switch random.IntN(6) {
			case 0:
				p.options = neutral
			case 1:
				p.foreign = true
			case 2:
				p.options = since
			case 3:
				p.options = []verso.RouteOption{verso.RemovedIn("v3")}
			}
			if byPath && p.options == nil && !p.foreign || byPath && len(p.options) > 0 && &p.options[0] != &neutral[0] {
				p.path = "/{version}" + p.path
			}
			if !seen[p.method+shape(p.path)] {
				seen[p.method+shape(p.path)] = true
				s.routes = append(s.routes, p)
			}
		}
		// Fiber takes the first route that has the path, so it gets fixed text first, as the other routers.
		slices.SortStableFunc(s.routes, func(a, b place) int { return strings.Compare(rankOf(a.path), rankOf(b.path)) })
		for _, framework := range frameworks {
			if !registers(framework, s) {
				continue
			}
			api := func() *verso.Versioning {
				return verso.MustNew(s.source, quiet(verso.Config{Clock: now, Catalogue: ended(s.names...), DefaultVersion: verso.V("v2")}))
			}
			var do doer
			if framework == "fiber" {
				do = overFiber(fiberApp(api(), s, true))
			} else {
				do = over(handlers[framework](api(), s, true))
			}
			for range 6 {
				target, version := "/"+strings.NewReplacer("{id}", "7", "{name}", "8").Replace(pick(segments)), pick([]string{"v1", "v2", "v3", "v9"})
				if random.IntN(2) == 0 {
					target += "/" + strings.NewReplacer("{id}", "7", "{name}", "8").Replace(pick(segments))
				}
				if byPath && random.IntN(3) > 0 {
					target = "/" + version + target
				}
				ask := func(method string) (int, string, http.Header) {
					r := httptest.NewRequest(method, target, nil)
					if !byPath {
						r.Header.Set("Api-Version", version)
					}
					return do(r)
				}
				status := map[string]int{}
				allows := map[string][]string{}
				codes := map[string]string{}
				for _, method := range append(methods, "HEAD") {
					got, body, header := ask(method)
					status[method] = got
					if _, code, ok := strings.Cut(body, `"code":"`); ok {
						codes[method], _, _ = strings.Cut(code, `"`)
					}
					if lines := header["Allow"]; len(lines) > 0 {
						allows[method] = strings.Split(strings.ReplaceAll(strings.Join(lines, ","), " ", ""), ",")
						if got != 405 {
							t.Errorf("seed %d %s: %s %s %s: %d with Allow %q", seed, framework, method, target, version, got, lines)
						}
					}
				}
				for method, allow := range allows {
					for _, other := range methods {
						// Echo lists the methods of the nearest pattern alone, and its last parameter takes several segments.
						// What two patterns read differently, one as a version, is not compared.
						if strings.HasPrefix(framework, "echo") && (!slices.Contains(allow, other) || takesRest(s, target)) || strings.HasPrefix(codes[other], "invalid_") || codes[other] == "version_gone" {
							continue
						}
						if serves := status[other] < 300; serves != slices.Contains(allow, other) && other != method {
							t.Errorf("seed %d %s: %s %s in %s has Allow %q, and %s is %d %s\n%s", seed, framework, method, target, version, allow, other, status[other], codes[other], show1(s))
						}
					}
				}
				if (framework == "http" || framework == "fiber") && status["HEAD"] != status["GET"] {
					t.Errorf("seed %d %s: HEAD %s in %s is %d, GET %d %s\n%s", seed, framework, target, version, status["HEAD"], status["GET"], codes["GET"], show1(s))
				}
			}
		}
	}
}

// takesRest reports whether the last parameter of a route takes several segments of a path in Echo.
func takesRest(s service, target string) bool {
	return slices.ContainsFunc(s.routes, func(p place) bool {
		return strings.HasSuffix(p.path, "}") && strings.Count(p.path, "/") < strings.Count(target, "/")
	})
}

func shape(path string) string {
	return strings.NewReplacer("{id}", "{}", "{name}", "{}", "{version}", "{}").Replace(path)
}

// rankOf orders fixed text before parameters.
func rankOf(path string) string { return strings.ReplaceAll(path, "{", "~") }

func show1(s service) string {
	var lines []string
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

// registers reports whether a framework takes the routes of a service.
func registers(framework string, s service) (ok bool) {
	defer func() { ok = recover() == nil }()
	api := verso.MustNew(s.source, quiet(verso.Config{Clock: now, Catalogue: ended(s.names...), DefaultVersion: verso.V("v2")}))
	if framework == "fiber" {
		fiberApp(api, s, true)
		return true
	}
	handlers[framework](api, s, true)
	return true
}
