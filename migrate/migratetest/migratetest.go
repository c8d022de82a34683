// Package migratetest checks a history of package migrate in the tests of a service.
package migratetest

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/internal/watch"
)

// Golden files have this flag by custom, and another package of the test may define it.
func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write the contracts of migratetest.Frozen")
	}
}

// contracts are the types of the members, by version, object and member. Under
// "routes" and "statuses" are the bodies and the statuses below 300 of a route, by
// method and pattern, and version; under "webhooks" what is sent, by name and version; under
// "edits" those that a version declares.
type contracts map[string]map[string]map[string]string

const routes, statuses, edits, webhooks = "routes", "statuses", "edits", "webhooks"

// isUpdate looks the flag up, since it may be defined after this package.
func isUpdate() bool { return flag.Lookup("update").Value.String() == "true" }

// readFile reads JSON, if the file is there. A new service has no file yet: -update writes it.
func readFile(file string, into any) error {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	return err
}

// writeFile indents: the file is reviewed as a diff.
func writeFile(tb testing.TB, file string, value any) {
	tb.Helper()
	text, _ := json.MarshalIndent(value, "", "  ") // of texts it cannot fail
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
		os.WriteFile(file, append(text, '\n'), 0o644)); err != nil {
		tb.Errorf("migratetest: %v", err)
	}
}

// differences are those between a file and the service. What breaks the clients of an older
// version is apart: -update never writes it, since a careless one would hide it for good.
type differences struct{ broken, outdated []string }

// add adds a difference.
func (d *differences) add(breaks bool, format string, args ...any) {
	list := &d.outdated
	if breaks {
		list = &d.broken
	}
	*list = append(*list, fmt.Sprintf(format, args...))
}

// missing returns the keys that one map lacks and another one has, in order.
func missing[V any](in, of map[string]V) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(of)), func(key string) bool {
		_, ok := in[key]
		return ok
	})
}

// finish reports the differences, or writes the file.
func (d *differences) finish(tb testing.TB, file string, now any) {
	tb.Helper()
	// Maps gave them in any order, and a message should be the same each time.
	slices.Sort(d.outdated)
	switch {
	case len(d.broken) > 0:
		tb.Errorf("migratetest: older clients break:\n\t%s", strings.Join(d.broken, "\n\t"))
	case len(d.outdated) > 0 && isUpdate():
		writeFile(tb, file, now)
	case len(d.outdated) > 0:
		tb.Errorf("migratetest: %s differs: run the test with -update if that is intended:\n\t%s", file,
			strings.Join(d.outdated, "\n\t"))
	}
}

// Frozen fails the test when the bodies of a version are not those of the file, such
// as testdata/contracts.json, or the routes of the services are not:
// give it what the adapters' Explain return, and it checks [Covered] too. With
// the flag -update of the test it writes the file: new versions, the newest one, new
// routes and webhooks, and members that are [migrate.Additive]. What else differs in an older
// version breaks its clients, and is never written: a change is missing. Call it when
// the routes are registered. After a Go type was renamed, rename it in the file.
func Frozen(tb testing.TB, h *migrate.History, file string, services ...*verso.Explanation) {
	tb.Helper()
	frozen, now := contracts{}, contracts{}
	if err := readFile(file, &frozen); err != nil {
		tb.Errorf("migratetest: %v", err)
		return
	}
	var d differences
	p := &proposals{edited: editedIn(h), made: map[string]bool{}}
	for i, v := range h.Versions() {
		schema := verso.Must(h.Schema(v)) // of a version of h it cannot fail
		now[v.String()] = contractOf(schema)
		d.compare(schema, frozen[v.String()], now[v.String()], p, i == 0)
		p.release = v.String()
	}
	// The API may drop a version, but its clients are gone for good.
	for version := range frozen {
		if now[version] == nil && !slices.Contains([]string{routes, statuses, edits, webhooks}, version) {
			d.add(false, "%s is not a version any more", version)
		}
	}
	if sent := watch.Of(h).Webhooks(); len(sent) > 0 {
		now[webhooks] = sent
	}
	d.compareWebhooks(h, frozen[webhooks], now[webhooks])
	// Checked writes the statuses to the same file, and knows them only after other tests.
	if now[statuses] = frozen[statuses]; now[statuses] == nil {
		delete(now, statuses)
	}
	if len(services) > 0 {
		now[routes] = map[string]map[string]string{}
		for _, service := range services {
			Covered(tb, h, service)
			addRoutes(now[routes], h, service)
		}
		now[edits] = editsOf(h)
		d.compareRoutes(h, frozen[routes], now[routes])
		d.compareEdits(h, frozen[edits], now[edits])
		// Without a service, its routes are not compared, and must not be lost by -update.
	} else if frozen[routes] != nil {
		now[routes], now[edits] = frozen[routes], frozen[edits]
	}
	d.finish(tb, file, now)
}

// editsOf returns the edits that each version declares.
// Constants and new names are in their texts, so an accidental change of an edit is found.
func editsOf(h *migrate.History) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, v := range h.Changelog(nil).Versions {
		all[v.Version] = map[string]string{}
		for _, change := range v.Changes {
			// A Behaves has no edits: in another release, it is active for other clients.
			if len(change.Edits) == 0 && len(change.Webhooks) == 0 {
				all[v.Version][change.Text] = ""
			}
			for _, e := range change.Edits {
				all[v.Version][fmt.Sprintf("`%s`: %s.", e.Type, e.Text)] = ""
			}
		}
	}
	return all
}

// texts are what is frozen of routes, statuses or webhooks, by name and version.
type texts = map[string]map[string]string

// each calls report for what differs, of the newest version first.
func each(h *migrate.History, frozen, now texts, report func(v verso.Version, isOlder bool, name, was, is string)) {
	names := append(missing(now, frozen), slices.Sorted(maps.Keys(now))...)
	slices.Sort(names)
	for i, v := range h.Versions() {
		for _, name := range names {
			if was, is := frozen[name][v.String()], now[name][v.String()]; was != is {
				report(v, i > 0, name, was, is)
			}
		}
	}
}

// compareWebhooks adds how what is sent differs.
func (d *differences) compareWebhooks(h *migrate.History, frozen, now texts) {
	each(h, frozen, now, func(v verso.Version, isOlder bool, name, was, is string) {
		sends := declaration(h, name, cmp.Or(was, is), frozen[name], now[name])
		switch {
		case was == "":
			d.add(false, "%s: the webhook %q is new", v, name)
		case is == "":
			d.add(isOlder, "%s: the webhook %q is gone: its receivers get it: %s", v, name, sends)
		default:
			old, mediaType, _ := strings.Cut(was, " as ")
			body, _, _ := strings.Cut(is, " as ")
			d.add(
				isOlder, "%s: the webhook %q was %s and is %s: %s, or write the change: migrate.For[%s](migrate.Reshaped(nil, func(is %[6]s) (was %s, err error) { return was, err }, %q))",
				v, name, was, is, sends, goType(body), goType(old), mediaType)
		}
	})
}

// declaration returns the call of Sends that declares a webhook for the versions of both maps.
func declaration(h *migrate.History, name, body string, frozen, now map[string]string) string {
	body, _, _ = strings.Cut(body, " as ")
	call, versions := fmt.Sprintf("migrate.Sends[%s](history, %q", goType(body), name), h.Versions()
	have := slices.DeleteFunc(h.Versions(),
		func(v verso.Version) bool { return frozen[v.String()]+now[v.String()] == "" })
	if oldest := have[len(have)-1]; oldest != versions[len(versions)-1] {
		call += fmt.Sprintf(", verso.Since(%q)", oldest)
	}
	if newest := slices.Index(versions, have[0]); newest > 0 {
		call += fmt.Sprintf(", verso.RemovedIn(%q)", versions[newest-1])
	}
	return call + ")"
}

// goType returns a type of a contract as Go has it, without what a union is made of.
func goType(text string) string {
	text, _, _ = strings.Cut(text, ": ")
	return strings.NewReplacer("]integer", "]int", "]number", "]float64", "]boolean", "]bool").Replace("]" + text)[1:]
}

// compareEdits adds the edits that were declared and are not. An edit that is gone breaks clients even
// if the members stay: their values may mean something else.
func (d *differences) compareEdits(h *migrate.History, frozen, now map[string]map[string]string) {
	for i, v := range h.Versions() {
		was, is := frozen[v.String()], now[v.String()]
		for _, edit := range missing(is, was) {
			d.add(i > 0, "%s no longer declares: %s", v, edit)
		}
		for _, edit := range missing(was, is) {
			d.add(false, "%s says: %s", v, edit)
		}
	}
}

// nameOf names a route as the log and Explain do.
func nameOf(r verso.RouteInfo) string { return strings.TrimSpace(r.Method + " " + r.Host + r.Pattern) }

// addRoutes adds what the routes of a service read and write in each version.
func addRoutes(to map[string]map[string]string, h *migrate.History, service *verso.Explanation) {
	for _, r := range service.Routes {
		// These have no version, so nothing of them can break one.
		if r.Neutral || r.Unchecked {
			continue
		}
		to[nameOf(r)] = map[string]string{}
		for _, v := range h.Versions() {
			if !r.InVersion(v.String()) {
				continue
			}
			to[nameOf(r)][v.String()] = watch.Of(h).Bodies(r.Rewriter, v)
		}
	}
}

// compareRoutes adds how what the routes read and write differs.
func (d *differences) compareRoutes(h *migrate.History, frozen, now texts) {
	each(h, frozen, now, func(v verso.Version, isOlder bool, name, was, is string) {
		switch {
		case is == "":
			d.add(isOlder, "%s: %s is gone: its clients call it", v, name)
		case was == "":
			d.add(false, "%s: %s is new", v, name)
		default:
			d.add(isOlder, "%s: %s: it was %q and is %q", v, name, was, is)
		}
	})
}

// contractOf returns the types as texts: a file that people review in a diff must be readable.
func contractOf(schema *migrate.Schema) map[string]map[string]string {
	contract := map[string]map[string]string{}
	for _, o := range schema.Objects {
		contract[o.Name] = map[string]string{}
		for _, m := range o.Members {
			contract[o.Name][m.Name] = m.String()
		}
	}
	return contract
}

// compare adds how the bodies of a version differ.
func (d *differences) compare(schema *migrate.Schema, frozen, now map[string]map[string]string, p *proposals,
	newest bool) {
	if frozen == nil {
		d.add(false, "%s is a new version", schema.Version)
		return
	}
	// say records what differs. With an advice it breaks the clients of an older
	// version.
	say := func(advice, format string, args ...any) {
		text := schema.Version + ": " + fmt.Sprintf(format, args...)
		if advice != "" && !newest {
			text += ": " + advice
		}
		d.add(advice != "" && !newest, "%s", text)
	}
	p.objects = map[string]bool{}
	for object := range frozen {
		p.objects[object] = true
	}
	for _, o := range schema.Objects {
		members, known := frozen[o.Name]
		if !known {
			say("", "%s is new", o.Name)
			continue
		}
		for _, m := range o.Members {
			switch was, known := members[m.Name]; {
			// Additive is the author's word that older clients may see the member.
			case !known && m.Additive:
				say("", "%s.%s is new", o.Name, m.Name)
			case !known:
				edits := []string{fmt.Sprintf("migrate.Added(%q)", m.Name),
					fmt.Sprintf("migrate.Additive(%q) if clients of this version may see it", m.Name)}
				say(p.add(o.Name, "a change is missing", edits), "%s.%s is new", o.Name, m.Name)
			case was != m.String():
				advice := "a change is missing"
				if strings.Contains(was, "one of ") && strings.Contains(m.String(), "one of ") {
					advice += ": give the interface NewVariant, RenamedVariant or RemovedVariant, or restore its OneOf"
				}
				say(p.add(o.Name, advice, p.changed(m.Name, was, m.String())), "%s.%s was %s and is %s",
					o.Name, m.Name, was, m)
			}
		}
		for _, name := range missing(now[o.Name], members) {
			say(p.add(o.Name, "a change is missing", p.gone(name, members[name], o, members)), "%s.%s is gone", o.Name,
				name)
		}
	}
	for _, object := range slices.Sorted(maps.Keys(frozen)) {
		// A type that no route of the version reaches any more is gone from the contract, with or
		// without a change of its own.
		if now[object] == nil {
			say("a change is missing, or a route that reads or writes it, or what sends it", "%s is gone", object)
		}
	}
}

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

// Examples fails the test when what clients of an older version read or send differs
// from the file, such as testdata/examples.json: each example, a value of the newest
// version, is lowered to each version and lifted back, and both are kept. So it finds
// what no type shows: another constant, another value, another function. A struct of parameters is
// lowered as the query of a link and lifted as a request's, without its zero values. The test
// fails, too, if edits with functions or constants are of a type that no example has. With the
// flag -update of the test it writes the file: new examples, and those whose newest form
// differs. What else differs is never written.
func Examples(tb testing.TB, h *migrate.History, file string, examples map[string]any) {
	tb.Helper()
	type forms map[string]string // by version: what is read; by version and "sent": what it means
	frozen, now := map[string]forms{}, map[string]forms{}
	if err := readFile(file, &frozen); err != nil {
		tb.Errorf("migratetest: %v", err)
		return
	}
	var d differences
	newest := h.Versions()[0].String()
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		now[name] = forms{}
		for _, v := range h.Versions() {
			// Both ways: a function that changed may show in one only.
			older, sent, err := watch.Of(h).Example(v, examples[name])
			if err != nil {
				tb.Errorf("migratetest: %s in %s: %v", name, v, err)
				continue
			}
			now[name][v.String()] = older
			// The newest form lifts to itself.
			if v.String() != newest {
				now[name][v.String()+" sent"] = sent
			}
		}
		for _, key := range slices.Sorted(maps.Keys(now[name])) {
			was, is := frozen[name][key], now[name][key]
			switch was {
			case is:
			case "":
				d.add(false, "%s: %s is new", key, name)
			default: // another sample means another form
				d.add(frozen[name][newest] == now[name][newest], "%s: %s was\n\t\t%s\n\tand is\n\t\t%s", key, name, was,
					is)
			}
		}
	}
	for _, name := range missing(now, frozen) {
		d.add(false, "%s is gone", name)
	}
	if names := watch.Of(h).Unreached(slices.Collect(maps.Values(examples))); len(names) > 0 {
		tb.Errorf("migratetest: no example has a value of these types, whose edits have functions or constants: %s",
			strings.Join(names, ", "))
	}
	d.finish(tb, file, now)
}
