package migratetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/internal/watch"
)

// Covered fails the test if routes of several versions rewrite no bodies, such as
// "GET /users/{id}": they serve the newest form in all of them. A route whose bodies never changed
// has a [migrate.History.Route] without a body. service is what the adapter's Explain returns.
func Covered(tb testing.TB, h *migrate.History, service *verso.Explanation) {
	tb.Helper()
	var missing []string
	for _, r := range service.Routes {
		served := slices.DeleteFunc(h.Versions(), func(v verso.Version) bool { return !r.InVersion(v.String()) })
		if len(served) > 1 && !r.Neutral && !r.Unchecked && !r.Rewritten {
			missing = append(missing, nameOf(r))
		}
	}
	if len(missing) > 0 {
		tb.Errorf("migratetest: routes serve the newest form in all versions: give them Rewrite:\n\t%s",
			strings.Join(missing, "\n\t"))
	}
}

// Checked fails the test when a response of a route with Rewrite, in any version, is not
// what [migrate.History.Schema] and the route declare, or has a status below 300 that the
// file of [Frozen] does not have for the version. So does a status from 400 on, once the file has one
// for the route and the version, which -update writes. It fails, too, if a route has answered with a
// status below 300, but never with a header field that it declares by ResponseHeader. It checks all
// responses until the test ends: call it where your tests make the service. service may be nil,
// and statuses are then not compared.
func Checked(tb testing.TB, h *migrate.History, file string, service *verso.Explanation) {
	tb.Helper()
	var mu sync.Mutex
	seen, said := map[answered]bool{}, map[string]bool{}
	sent, lacking := map[fieldOf]bool{}, map[fieldOf]string{} // by a response, and by which route
	stop := watch.Of(h).Responses(func(a watch.Answer) {
		mu.Lock()
		defer mu.Unlock()
		name := a.Method
		if service != nil {
			name = routeOf(service, a)
		}
		// A test may ask a thousand times, and gets one error for a mistake.
		for _, mistake := range a.Mistakes {
			if text := fmt.Sprintf("%s: %s: %d: %s", a.Version, name, a.Status, mistake); !said[text] {
				said[text] = true
				tb.Errorf("migratetest: %s", text)
			}
		}
		for field, isSent := range a.Fields {
			// Routes that share a Rewriter declare the field together.
			if key := (fieldOf{a.Route, field}); isSent {
				sent[key] = true
			} else if a.Status < 300 {
				lacking[key] = name
			}
		}
		if (a.Status < 300 || a.Status >= 400) && service != nil {
			seen[answered{name, a.Version.String(), strconv.Itoa(a.Status)}] = true
		}
	})
	// Statuses are compared when all tests have run: each may cause another one.
	tb.Cleanup(func() {
		stop()
		mu.Lock()
		defer mu.Unlock()
		for f, route := range lacking {
			if !sent[f] {
				tb.Errorf(
					"migratetest: %s: ResponseHeader declares %q, and no response has it: set it, or declare its new name", route, f.name)
			}
		}
		checkStatuses(tb, h, file, seen)
	})
}

// fieldOf is a header field that routes declare.
type fieldOf struct {
	rewriter verso.Rewriter
	name     string
}

// answered is a status with which a route has answered in a version.
type answered struct{ route, version, status string }

// routeOf returns the name of the route that answered, of several that share a Rewriter all
// names. The response has only its Rewriter, which does not know its routes.
func routeOf(service *verso.Explanation, a watch.Answer) string {
	var list []string
	for _, r := range service.Routes {
		if r.Rewriter == a.Route && (r.Method == a.Method || r.Method == "" ||
			r.Method == http.MethodGet && a.Method == http.MethodHead) && !slices.Contains(list, nameOf(r)) {
			list = append(list, nameOf(r))
		}
	}
	return strings.Join(list, ", ")
}

// checkStatuses compares the statuses that routes answered with. A test need not cause all of them, so
// only new ones count.
func checkStatuses(tb testing.TB, h *migrate.History, file string, seen map[answered]bool) {
	tb.Helper()
	frozen := contracts{}
	// Frozen reports an unreadable file already.
	if err := readFile(file, &frozen); err != nil || len(seen) == 0 {
		return
	}
	now := map[string]map[string]string{}
	for route, versions := range frozen[statuses] {
		now[route] = maps.Clone(versions)
	}
	for a := range seen {
		if now[a.route] == nil {
			now[a.route] = map[string]string{}
		}
		list := append(strings.Fields(now[a.route][a.version]), a.status)
		slices.Sort(list)
		now[a.route][a.version] = strings.Join(slices.Compact(list), " ")
	}
	var d differences
	each(h, frozen[statuses], now, func(v verso.Version, isOlder bool, route, all, allNow string) {
		for _, isError := range []bool{false, true} {
			was, is := statusesOf(all, isError), statusesOf(allNow, isError)
			switch {
			case is == was:
			// Files of earlier releases have no errors, and learn them.
			case isError && was == "" && !isUpdate():
			case !isOlder || was == "":
				d.add(false, "%s: %s answers %s", v, route, is)
			default:
				d.add(
					true, "%s: %s answered %s, and now also with another status: %s: declare it with Behaves, and ask in the handler; if only the test is new, add it to the file", v, route, was, is)
			}
		}
	})
	frozen[statuses] = now
	d.finish(tb, file, frozen)
}

// statusesOf returns those of statuses that are errors, or the rest.
func statusesOf(list string, isError bool) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(list),
		func(status string) bool { return (status >= "400") != isError }), " ")
}
