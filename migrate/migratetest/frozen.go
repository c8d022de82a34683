package migratetest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/internal/watch"
)

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
	d.compareTypes(h, frozen, now)
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

// Propose returns the edits that [Frozen] proposes: those that give older versions the form in the file. It fails if
// the file cannot be read, or has no version of the history.
func Propose(h *migrate.History, file string) ([]Proposal, error) {
	frozen := contracts{}
	if err := readFile(file, &frozen); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(h.Versions(), func(v verso.Version) bool { return frozen[v.String()] != nil }) {
		return nil, fmt.Errorf("migratetest: %s has no version of the history", file)
	}
	var d differences
	return d.compareTypes(h, frozen, contracts{}), nil
}

// compareTypes adds how the types of each version differ, fills now, and returns the edits that it proposes.
func (d *differences) compareTypes(h *migrate.History, frozen, now contracts) []Proposal {
	p := &proposals{edited: editedIn(h), made: map[string]bool{}}
	for i, v := range h.Versions() {
		schema := verso.Must(h.Schema(v)) // of a version of h it cannot fail
		now[v.String()] = contractOf(schema)
		d.compare(schema, frozen[v.String()], now[v.String()], p, i == 0)
		p.release = v.String()
	}
	return p.list
}

// compare adds how the bodies of a version differ.
func (d *differences) compare(schema *migrate.Schema, frozen, now map[string]map[string]string, p *proposals,
	newest bool) {
	if frozen == nil {
		d.add(false, "%s is a new version", schema.Version)
		return
	}
	placed := len(p.list)
	// say records what differs. With an advice it breaks the clients of an older
	// version.
	say := func(advice, format string, args ...any) {
		text := schema.Version + ": " + fmt.Sprintf(format, args...)
		for ; placed < len(p.list); placed++ {
			p.list[placed].Place = text
		}
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
				edits := []string{fmt.Sprintf("migrate.Added(%q)", m.Name), fmt.Sprintf("migrate.Additive(%q)", m.Name)}
				advice := p.add(o.Name, "a change is missing", edits)
				if strings.HasSuffix(advice, edits[1]) {
					advice += " if clients of this version may see it"
				}
				say(advice, "%s.%s is new", o.Name, m.Name)
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
