package migrate

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Changelog lists what each version changed. It encodes as JSON, and writes itself as Markdown
// and as a page.
type Changelog struct {
	Time     time.Time        `json:"time,omitzero"` // when the versions had their states
	Versions []VersionChanges `json:"versions"`      // the newest first
}

// VersionChanges is a version in a [Changelog], and what changed since the version before it.
// The catalogue gives the state and the dates.
type VersionChanges struct {
	Version    string           `json:"version"`
	State      string           `json:"state,omitempty"` // unreleased, preview, supported, deprecated or ended
	Released   time.Time        `json:"released,omitzero"`
	Deprecated time.Time        `json:"deprecated,omitzero"`
	Sunset     time.Time        `json:"sunset,omitzero"`
	Successor  string           `json:"successor,omitempty"` // the version to move to
	Links      []catalogue.Link `json:"links,omitempty"`
	Changes    []ChangeInfo     `json:"changes"`
}

// ChangeInfo is a change in a [Changelog].
type ChangeInfo struct {
	Text string `json:"text"` // the sentence of [Changed] or [Behaves], or that a route or a webhook is new or removed

	// Breaking reports whether a client that moves to this version may have to change. New routes,
	// new webhooks, [Added] and [Additive] break no client; everything else may.
	Breaking bool       `json:"breaking"`
	Routes   []string   `json:"routes,omitempty"`   // whose requests or responses change: "GET /users/{id}"
	Webhooks []string   `json:"webhooks,omitempty"` // that change: "booking.created"
	Edits    []EditInfo `json:"edits,omitempty"`
}

// EditInfo is an edit in a [Changelog]. It is for readers who want to know which member, after
// the author's sentence.
type EditInfo struct {
	Type string `json:"type"` // the name of the Go type or, for a status or a header field, the route
	Text string `json:"text"` // without a full stop
}

// Changelog returns what changed. service is what the adapter's Explain returns: it adds dates,
// states, and routes. It may be nil.
func (h *History) Changelog(service *verso.Explanation) *Changelog {
	c := &Changelog{}
	if service != nil {
		c.Time = service.Time
	}
	for i, r := range h.revisions {
		// JSON then has [] and not null for a version without changes.
		v := VersionChanges{Version: r.name, Changes: []ChangeInfo{}}
		if service != nil && service.Catalogue != nil {
			v.addDates(service.Catalogue, service.Time)
		}
		for _, change := range r.changes {
			info := ChangeInfo{Text: change.text}
			for _, t := range change.types {
				for _, e := range t.edits {
					info.Edits = append(info.Edits, EditInfo{shape.ShortName(t.typ), e.edit.Text})
					info.Breaking = info.Breaking || !e.edit.Harmless
				}
			}
			info.Webhooks = h.sends().edited(h.edits, change, r.name)
			if service != nil {
				h.addRoutes(&info, change, service, r.name)
			}
			// Only the author knows how harmless a Behaves is, or a text without edits, so it counts as breaking.
			info.Breaking = info.Breaking || change.behaves || len(info.Edits) == 0 && len(change.types) == 0
			v.Changes = append(v.Changes, info)
		}
		// The routes of the first version are not news.
		if service != nil && i+1 < len(h.revisions) {
			v.Changes = append(v.Changes, routeChanges(service, r.name, h.revisions[i+1].name)...)
		}
		if i+1 < len(h.revisions) {
			v.Changes = append(v.Changes, h.sends().changes(r.name, h.revisions[i+1].name)...)
		}
		c.Versions = append(c.Versions, v)
	}
	return c
}

// A version may be in the history before it is in the catalogue: it has no dates then.
func (v *VersionChanges) addDates(versions *catalogue.Catalogue, now time.Time) {
	index, ok := versions.Index(v.Version)
	if !ok {
		return
	}
	moment, entry := versions.At(now), versions.Entry(index)
	v.State, v.Links = moment.State(index).String(), entry.Links
	if entry.Preview && v.State == catalogue.Supported.String() {
		v.State = "preview"
	}
	v.Released, v.Deprecated, v.Sunset = entry.Released, entry.Deprecated, entry.Sunset
	if next, ok := moment.Successor(index); ok {
		v.Successor = versions.Versions()[next]
	}
}

// addRoutes adds the routes of a version that the change edits, with their statuses and header
// fields.
func (h *History) addRoutes(info *ChangeInfo, change *Change, service *verso.Explanation, version string) {
	for _, r := range service.Routes {
		route, ok := r.Rewriter.(*Route)
		name := routeName(service, r)
		// A path can have several registrations, such as one under each prefix, which are one
		// route to a reader.
		if !ok || route.history != &h.history || !r.InVersion(version) || slices.Contains(info.Routes, name) {
			continue
		}
		edited := change.edits(h.edits, &route.bodies.Bodies)
		// Another status or header field is breaking: clients branch on them.
		for _, a := range route.bodies.answers {
			if a.change == change {
				info.Edits = append(info.Edits, EditInfo{name, a.Text})
				info.Breaking, edited = info.Breaking || !a.Harmless, true
			}
		}
		if edited {
			info.Routes = append(info.Routes, name)
		}
	}
}

// edits reports whether a change edits a type of bodies.
func (c *Change) edits(all edits.All, b *declared.Bodies) (found bool) {
	for _, t := range b.Types() {
		all.Walk(t, func(t reflect.Type) {
			found = found || slices.ContainsFunc(c.types, func(e TypeEdits) bool {
				return e.typ == t || slices.Contains(shape.EmbeddedIn(t), e.typ)
			})
		})
	}
	return found
}

// routeName returns the method and the path of a route without the version. A version in the
// path is not part of a route's name: the same route has another path in each version.
func routeName(service *verso.Explanation, r verso.RouteInfo) string {
	params := []string{"version"}
	if service.Source != nil {
		for _, part := range append(slices.Clip(service.Source.Describe().Parts), service.Source) {
			params = append(params, part.Describe().PathParam)
		}
	}
	path := cmp.Or(r.Path, r.Pattern)
	for _, name := range params {
		path = strings.Replace(path, "/{"+name+"}", "", 1)
	}
	return strings.TrimSpace(r.Method + " " + r.Host + path)
}

// routeChanges returns the routes that only one of two versions has. A route with another path
// has the same name and method in both.
func routeChanges(service *verso.Explanation, version, before string) (changes []ChangeInfo) {
	type route struct{ text, key string }
	in := func(version string) (list []route) {
		for _, r := range service.Routes {
			text := routeName(service, r)
			isThere := slices.ContainsFunc(list, func(other route) bool { return other.text == text })
			if !r.Neutral && !r.Unchecked && r.InVersion(version) && !isThere {
				list = append(list, route{text, r.Name + " " + r.Method})
			}
		}
		return list
	}
	without := func(list, others []route) []route {
		return slices.DeleteFunc(slices.Clone(list), func(r route) bool {
			return slices.ContainsFunc(others, func(other route) bool { return other.text == r.text })
		})
	}
	old, now := in(before), in(version)
	old, now = without(old, now), without(now, old)
	var removed []ChangeInfo
	for _, r := range old {
		// A name that stays while the path changes means the author's single route.
		isSame := func(other route) bool { return other.key == r.key && r.key[0] != ' ' }
		if i := slices.IndexFunc(now, isSame); i >= 0 {
			changes = append(changes, ChangeInfo{Text: r.text + " is now " + now[i].text + ".", Breaking: true})
			now = slices.Delete(now, i, i+1)
		} else {
			removed = append(removed, ChangeInfo{Text: r.text + " is removed.", Breaking: true})
		}
	}
	slices.SortFunc(changes, func(a, b ChangeInfo) int { return strings.Compare(a.Text, b.Text) })
	changes = append(changes, removed...)
	for _, r := range now {
		changes = append(changes, ChangeInfo{Text: r.text + " is new."})
	}
	return changes
}

// Markdown writes the changelog as Markdown. It returns the error of w. It is written at once,
// so that an error of w leaves no half line.
func (c *Changelog) Markdown(w io.Writer) error {
	var text strings.Builder
	for _, v := range c.Versions {
		fmt.Fprintf(&text, "## %s\n\n", v.Version)
		if line := v.Lifetime(); line != "" {
			fmt.Fprintf(&text, "%s\n\n", line)
		}
		for _, change := range v.Changes {
			// one line, and no HTML
			fmt.Fprintf(&text, "- %s", strings.ReplaceAll(strings.Join(strings.Fields(change.Text), " "), "<", `\<`))
			if change.Breaking {
				text.WriteString(" **Breaking.**")
			}
			text.WriteString("\n")
			for _, e := range change.Edits {
				fmt.Fprintf(&text, "  - `%s`: %s.\n", e.Type, e.Text)
			}
			if len(change.Routes) > 0 {
				fmt.Fprintf(&text, "  - In `%s`.\n", strings.Join(change.Routes, "`, `"))
			}
			if len(change.Webhooks) > 0 && len(change.Edits) > 0 {
				fmt.Fprintf(&text, "  - In the webhooks `%s`.\n", strings.Join(change.Webhooks, "`, `"))
			}
		}
		text.WriteString("\n")
	}
	_, err := io.WriteString(w, strings.TrimRight(text.String(), "\n")+"\n")
	return err
}

// Lifetime returns the state and the dates of the version in a line: "Deprecated since 1 May
// 2026. Sunset on 1 May 2027. Move to v2." It returns "" if they are not known. Dates are days
// in UTC: the time of day is in the JSON for those who plan by the hour.
func (v VersionChanges) Lifetime() string {
	var parts []string
	add := func(format string, date time.Time) {
		if !date.IsZero() {
			parts = append(parts, fmt.Sprintf(format, date.UTC().Format("2 January 2006")))
		}
	}
	add("Released on %s.", v.Released)
	switch v.State {
	case catalogue.Ended.String():
		add("Ended on %s.", v.Sunset)
	case catalogue.Deprecated.String():
		add("Deprecated since %s.", v.Deprecated)
		add("Sunset on %s.", v.Sunset)
	default:
		add("Deprecated from %s.", v.Deprecated)
		add("Sunset on %s.", v.Sunset)
	}
	if v.Successor != "" && len(parts) > 0 {
		parts = append(parts, "Move to "+v.Successor+".")
	}
	return strings.Join(parts, " ")
}

// edited returns the names of those of a version that the change edits.
func (all webhooks) edited(by edits.All, change *Change, version string) (names []string) {
	for _, w := range all {
		if w.sent.In(verso.V(version)) && change.edits(by, &declared.Bodies{Returns: w.typ}) {
			names = append(names, w.name)
		}
	}
	return names
}

// changes returns those that are in a version and not in the version before, or the other way round.
func (all webhooks) changes(version, before string) (changes []ChangeInfo) {
	for _, w := range all {
		what, was := "new", w.sent.In(verso.V(before))
		if was {
			what = "removed"
		}
		if w.sent.In(verso.V(version)) != was {
			changes = append(changes, ChangeInfo{Text: "The webhook " + w.name + " is " + what + ".", Breaking: was,
				Webhooks: []string{w.name}})
		}
	}
	return changes
}
