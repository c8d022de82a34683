// Package differ lists how a document differs from a published one for its clients.
package differ

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
)

// Differences returns the differences between a published document and another one, by their places.
// It ignores texts, unused components, and the names of components and path parameters. skip reports
// whether a parameter or status is left out, such as the parameter of the version itself.
func Differences(published, made *document.Document, skip func(place string) bool) []string {
	d := &differ{a: published, b: made, skip: skip, seen: map[string]bool{}, found: map[string]bool{}}
	d.operations()
	was, now := published.Webhooks(), made.Webhooks()
	for _, name := range names(was, now) {
		d.both("webhook "+name, was[name] != nil, now[name] != nil, func() {
			d.content("webhook "+name, d.a.Body(document.Obj(d.a.Follow(was[name])["post"])["requestBody"]),
				d.b.Body(document.Obj(d.b.Follow(now[name])["post"])["requestBody"]))
		})
	}
	return slices.Sorted(maps.Keys(d.found))
}

type differ struct {
	a, b        *document.Document
	skip        func(place string) bool
	seen, found map[string]bool
}

func names(a, b document.Object) []string {
	all := maps.Clone(a)
	if all == nil {
		all = document.Object{}
	}
	maps.Copy(all, b)
	return document.Names(all)
}

func (d *differ) add(place, format string, args ...any) {
	if !d.skip(place) {
		d.found[place+": "+fmt.Sprintf(format, args...)] = true
	}
}

// both compares a part of both documents, or adds a part that only one has.
func (d *differ) both(place string, a, b bool, compare func()) {
	switch {
	case d.skip(place):
	case a && b:
		compare()
	case a:
		d.add(place, "is missing")
	case b:
		d.add(place, "is not published")
	}
}

func byKey(d *document.Document) map[string]document.Operation {
	all := map[string]document.Operation{}
	for _, o := range d.Routes() {
		all[o.Route()] = o
	}
	return all
}

func (d *differ) operations() {
	was, now := byKey(d.a), byKey(d.b)
	keys := slices.Concat(slices.Collect(maps.Keys(was)), slices.Collect(maps.Keys(now)))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		x, had := was[key]
		y, has := now[key]
		d.both(key, had, has, func() { d.operation(key, x, y) })
	}
}

func (d *differ) operation(key string, x, y document.Operation) {
	if x.Op["deprecated"] == true && y.Op["deprecated"] != true {
		d.add(key, "deprecated is missing")
	}
	for _, in := range []string{"query", "header", "cookie"} {
		was, now := d.a.Parameters(x, in), d.b.Parameters(y, in)
		all := slices.Concat(slices.Collect(maps.Keys(was)), slices.Collect(maps.Keys(now)))
		slices.Sort(all)
		for _, name := range slices.Compact(all) {
			p, q := was[name], now[name]
			place := key + " " + in + " " + name
			d.both(place, p != nil, q != nil, func() {
				if (p["required"] == true) != (q["required"] == true) {
					d.add(place, "required is %v, and was published as %v", q["required"] == true,
						p["required"] == true)
				}
				d.schema(place, p["schema"], q["schema"])
			})
		}
	}
	d.content(key+" request", d.a.Body(x.Op["requestBody"]), d.b.Body(y.Op["requestBody"]))
	was, now := document.Obj(x.Op["responses"]), document.Obj(y.Op["responses"])
	for _, status := range names(was, now) {
		place := key + " " + status
		d.both(place, was[status] != nil, now[status] != nil, func() {
			d.content(place, d.a.Body(was[status]), d.b.Body(now[status]))
			p, q := document.Obj(d.a.Follow(was[status])["headers"]), document.Obj(d.b.Follow(now[status])["headers"])
			for _, name := range names(p, q) {
				d.both(place+" header "+name, p[name] != nil, q[name] != nil, func() {})
			}
		})
	}
}

func (d *differ) content(place string, v, w any) {
	a, b := document.Obj(v), document.Obj(w)
	for _, mediaType := range names(a, b) {
		at := place + " " + mediaType
		d.both(at, a[mediaType] != nil, b[mediaType] != nil, func() {
			d.schema(at, document.Obj(a[mediaType])["schema"], document.Obj(b[mediaType])["schema"])
		})
	}
}

// keywords are compared as they are.
var keywords = []string{"format", "default", "maxLength", "minLength", "pattern", "minimum", "maximum",
	"minItems", "maxItems", "readOnly", "writeOnly"}

func (d *differ) schema(place string, v, w any) {
	if p, q := document.Str(document.Obj(v)["$ref"]), document.Str(document.Obj(w)["$ref"]); p != "" && q != "" {
		if d.seen[p+" "+q] {
			return
		}
		d.seen[p+" "+q] = true
		place = p[strings.LastIndex(p, "/")+1:]
	} else if strings.Count(place, ".")+strings.Count(place, "[]") > 20 {
		return // a schema in itself
	}
	x, y := d.a.View(v), d.b.View(w)
	if x.Kind != y.Kind {
		d.add(place, "is %s, and was published as %s", y.Kind, x.Kind)
		return
	}
	if x.Nullable != y.Nullable {
		d.add(place, "may be null is %v, and was published as %v", y.Nullable, x.Nullable)
	}
	d.values(place, x, y)
	for _, k := range keywords {
		if p, q := x.Schema[k], y.Schema[k]; document.Compact(p) != document.Compact(q) && p != false &&
			q != false && !isZero(p, q) {
			d.add(place, "%s is %s, and was published as %s", k, document.Compact(q), document.Compact(p))
		}
	}
	switch x.Kind {
	case "list":
		d.schema(place+"[]", x.Schema["items"], y.Schema["items"])
	case "map":
		if p, q := x.Schema["additionalProperties"], y.Schema["additionalProperties"]; document.Obj(p) != nil &&
			document.Obj(q) != nil {
			d.schema(place+"{}", p, q)
		}
	case "object":
		for _, name := range names(x.Props, y.Props) {
			at := place + "." + name
			d.both(at, x.Props[name] != nil, y.Props[name] != nil, func() {
				if x.Required[name] != y.Required[name] {
					d.add(at, "required is %v, and was published as %v", y.Required[name], x.Required[name])
				}
				d.schema(at, x.Props[name], y.Props[name])
			})
		}
	case "union":
		d.union(place, x, y)
	}
}

// isZero reports whether a bound of 0 is beside none, which means the same.
func isZero(p, q any) bool {
	return p == nil && fmt.Sprint(q) == "0" || q == nil && fmt.Sprint(p) == "0"
}

func (d *differ) values(place string, x, y document.View) {
	text := func(values []any) (l []string) {
		for _, v := range values {
			l = append(l, fmt.Sprint(v))
		}
		return l
	}
	was, now := text(x.Enum()), text(y.Enum())
	if len(was) == 0 != (len(now) == 0) {
		d.add(place, "lists %d values, and was published with %d", len(now), len(was))
		return
	}
	for _, v := range was {
		if !slices.Contains(now, v) {
			d.add(place, "the value %q is missing", v)
		}
	}
	for _, v := range now {
		if !slices.Contains(was, v) {
			d.add(place, "the value %q is not published", v)
		}
	}
}

func (d *differ) union(place string, x, y document.View) {
	if len(x.Variants) != len(y.Variants) {
		d.add(place, "has %d variants, and was published with %d", len(y.Variants), len(x.Variants))
		return
	}
	_, was := d.a.Texts(x)
	_, now := d.b.Texts(y)
	for i := range x.Variants {
		to := i
		if was != nil && now != nil { // the order means nothing
			hasText := func(texts []string) bool { return slices.Contains(texts, was[i][0]) }
			if to = slices.IndexFunc(now, hasText); to < 0 {
				d.add(place, "the variant %q is missing", was[i][0])
				continue
			}
		}
		d.schema(fmt.Sprint(place, "|", i), x.Variants[i], y.Variants[to])
	}
}
