package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
)

// carry copies the components that only the older document has, and that v refers to, into the newest.
func (d *drafter) carry(v any) { carry(d.Whole, d.a, v) }

func carry(whole document.Object, s *side, v any) {
	switch v := v.(type) {
	case document.Object:
		if tokens := strings.Split(document.Str(v["$ref"]), "/"); len(tokens) >= 4 && tokens[1] == "components" {
			components := document.Obj(whole["components"])
			in := document.Obj(components[tokens[2]])
			if in == nil {
				in = document.Object{}
				components[tokens[2]] = in
			}
			if in[tokens[3]] == nil {
				top := s.Follow(document.Object{"$ref": strings.Join(tokens[:4], "/")})
				in[tokens[3]] = top
				carry(whole, s, top)
			}
		}
		for _, k := range document.Names(v) {
			carry(whole, s, v[k])
		}
	case []any:
		for _, x := range v {
			carry(whole, s, x)
		}
	}
}

// register gives the draft its routes: those of the newest document, and those that only older ones
// have, whose operations stay in the newest document.
func register(draft *Draft, pairs []*drafter) {
	newest := pairs[0]
	for _, o := range newest.b.Routes() {
		r := newest.routes[o.Route()]
		for _, d := range pairs {
			if !d.had(o.Route()) {
				r.Since = d.b.Version
				break
			}
			if d != newest {
				r.Bodies = append(r.Bodies, d.later(o.Route())...)
			}
		}
		draft.Routes = append(draft.Routes, r)
	}
	seen := map[string]bool{}
	for i, d := range pairs {
		for _, o := range d.a.Routes() {
			k := o.Route()
			if seen[k] || d.has(k) || slices.ContainsFunc(pairs[:i], func(p *drafter) bool { return p.has(k) }) {
				continue
			}
			seen[k] = true
			r := d.route(d.a, o, nil)
			r.RemovedIn = d.b.Version
			for _, older := range pairs[i+1:] {
				if !older.had(k) {
					r.Since = older.b.Version
					break
				}
			}
			draft.Routes = append(draft.Routes, r)
			d.keep(o)
		}
	}
}

// had and has report whether a route is in the older and in the newer document.
func (d *drafter) had(route string) bool { return d.a.has(route) }
func (d *drafter) has(route string) bool { return d.b.has(route) }

func (s *side) has(route string) bool {
	if s.routes == nil {
		s.routes = map[string]bool{}
		for _, o := range s.Routes() {
			s.routes[o.Route()] = true
		}
	}
	return s.routes[route]
}

// later returns the declarations of an older release for a route, without its bodies.
func (d *drafter) later(k string) (l []*Edit) {
	for _, e := range d.routes[k].Bodies {
		of := func(kind string) bool { return strings.Contains(e.Options[0], kind) }
		if strings.HasPrefix(e.Options[0], "change") || of(".Query[") || of(".Headers[") || of(".Form[") {
			l = append(l, e)
		}
	}
	return l
}

// keep puts an operation of older versions into the newest document.
func (d *drafter) keep(o document.Operation) {
	paths := document.Obj(d.Whole["paths"])
	if paths == nil {
		paths = document.Object{}
		d.Whole["paths"] = paths
	}
	path := o.Path
	for p := range paths { // the same path, with other names
		if document.PathShape(p) == document.PathShape(path) {
			path = p
		}
	}
	parameters := d.asOlder(o.Item["parameters"])
	item := document.Obj(paths[path])
	switch {
	case item == nil:
		item = document.Object{}
		if paths[path] = item; parameters != nil {
			item["parameters"] = parameters
			d.carry(parameters)
		}
	case path != o.Path || document.Shape(item["parameters"]) != document.Shape(parameters):
		o = d.keptAt(path, o)
		d.ownParameters(item)
	}
	op := d.asOlder(o.Op)
	item[strings.ToLower(o.Method)] = op
	d.carry(op)
}

// ownParameters moves the parameters of a path of the newest document into its operations.
func (d *drafter) ownParameters(item document.Object) {
	whole := &document.Document{Root: d.Whole}
	key := func(v any) string {
		p := whole.Follow(v)
		return document.Str(p["in"]) + " " + document.Str(p["name"])
	}
	for _, method := range document.Methods {
		op := document.Obj(item[method])
		if op == nil {
			continue
		}
		all := slices.Clone(document.List(op["parameters"]))
		for _, p := range document.List(item["parameters"]) {
			if !slices.ContainsFunc(all, func(own any) bool { return key(own) == key(p) }) {
				all = append(all, p)
			}
		}
		if len(all) > 0 {
			op["parameters"] = all
		}
	}
	delete(item, "parameters")
}

// asOlder returns a copy of a part of an older operation, to which references lead. It has itself the responses and
// other components whose form changed; schemas stay components, since edits give them their older form.
func (d *drafter) asOlder(v any, references ...string) any {
	switch v := v.(type) {
	case document.Object:
		ref := document.Str(v["$ref"])
		if strings.HasPrefix(ref, "#/components/") && !strings.HasPrefix(ref, document.SchemaRef) &&
			!slices.Contains(references, ref) {
			was, now := d.a.Follow(v), (&document.Document{Root: d.Whole}).Follow(v)
			if now == nil {
				now = was
			}
			own := d.asOlder(was, append(slices.Clip(references), ref)...)
			if document.Shape(own) != document.Shape(now) {
				return own
			}
		}
		m := make(document.Object, len(v))
		for k, each := range v {
			m[k] = d.asOlder(each, references...)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i := range v {
			l[i] = d.asOlder(v[i], references...)
		}
		return l
	}
	return v
}

// keptAt returns an older operation whose parameters have the names of a path of the same form.
func (d *drafter) keptAt(path string, o document.Operation) document.Operation {
	was, now := braces.FindAllStringSubmatch(o.Path, -1), braces.FindAllStringSubmatch(path, -1)
	list := []any{}
	for _, in := range []string{"path", "query", "header", "cookie"} {
		all := d.a.Parameters(o, in)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			p := maps.Clone(all[name])
			for i := range was {
				if in == "path" && was[i][1] == name {
					p["name"] = now[i][1]
				}
			}
			list = append(list, p)
		}
	}
	o.Op = maps.Clone(o.Op)
	o.Op["parameters"] = list
	return o
}
