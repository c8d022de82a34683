package compare

import "github.com/goverso/verso/openapi/internal/draft/document"

// operations compares those that both documents have.
func (d *drafter) operations() {
	olds := map[string]document.Operation{}
	for _, o := range d.a.Routes() {
		olds[o.Route()] = o
	}
	for _, o := range d.b.Routes() {
		if was, ok := olds[o.Route()]; ok {
			d.routes[o.Route()] = d.route(d.b, o, &was)
		} else {
			d.routes[o.Route()] = d.route(d.b, o, nil)
			d.Additive = append(d.Additive, o.Method+" "+o.Path)
		}
	}
}

// route drafts the registration of an operation. was is the older one, or nil.
func (d *drafter) route(s *side, o document.Operation, was *document.Operation) *Route {
	r := &routing{drafter: d, s: s, o: o, was: was, hint: o.Method + " " + o.Path, fails: map[string]map[string]string{},
		others: map[string]string{}}
	r.Route = &Route{Method: o.Method, Path: pattern(o.Path), Operation: document.Str(o.Op["operationId"])}
	r.request()
	r.responses()
	if was == nil {
		return r.Route
	}
	r.mediaTypes()
	r.headers(true) // the last declared is taken back first, and makes the response
	r.statuses()
	r.headers(false)
	for _, in := range []string{"query", "header"} {
		if t := r.parameters(in); t != "" {
			r.declare("migrate.%s[%s]()", functions[in], t)
		}
	}
	if t := r.form(); t != "" {
		e := r.declare("migrate.Form[%s]()", t)
		if len(r.edits[t]) == 0 {
			e.Todos = []string{"forms of older clients stay as they are: no edit changes what their JSON means. If one does " +
				"later, remove this: forms are 415 then"}
		}
	}
	r.keywords()
	return r.Route
}

// webhooks compares what the services send.
func (d *drafter) webhooks() {
	was, now := d.a.Webhooks(), d.b.Webhooks()
	body := func(s *side, item any) any {
		return document.JSON(s.Body(document.Obj(s.Follow(item)["post"])["requestBody"]))
	}
	for _, name := range document.Names(now) {
		w := body(d.b, now[name])
		if _, isStruct := d.b.typ(w, name); !isStruct {
			d.note("webhook %s: its body is not an object", name)
			continue
		}
		h := &Hook{Name: name, Type: d.place(body(d.a, was[name]), w, name, document.Roles{Response: true})}
		if was[name] == nil {
			h.Since = d.b.Version
			d.Additive = append(d.Additive, "webhook "+name)
		}
		d.Hooks = append(d.Hooks, h)
	}
	for _, name := range missing(was, now) {
		d.note("webhook %s is gone: keep it in the newest document, and give Sends verso.RemovedIn(%q)", name,
			d.b.Version)
	}
}
