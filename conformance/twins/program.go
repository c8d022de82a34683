package twins

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	verso "github.com/goverso/verso/core"
)

// Program is built with the framework alone, and with Verso in a way.
type Program struct {
	Way   string
	Flags []string // what the vocabulary understands by them
	Wares []Ware   // around the whole
	After []Ware   // around the handlers that have a check, behind it
	Each  []Ware   // of EachVersion
	Body  []*Statement
}

// Has reports whether a program has a flag.
func (p *Program) Has(flag string) bool { return slices.Contains(p.Flags, flag) }

// Statement is a call of the framework that registers something.
type Statement struct {
	Op      string // the call; Methods, Path and Opt are its arguments
	ID      int    // of its handler
	Methods []string
	Path    string
	Opt     string
	Wares   []Ware // its middleware, the outermost first
	By      By     // for statements at the top of a program
	Only    string // the version with the route; "" for all
	Name    string // of the route, if it has one
	Status  int    // of the handler; 0: 200
	Body    []*Statement

	of *Statement // whose parameters have other names here
}

// Verb returns what registers routes for the one method of a statement, such as GET or Get, for half of the statements.
func Verb[T any](routes any, s *Statement) (verb T, ok bool) {
	of := reflect.ValueOf(routes)
	for i := range of.NumMethod() {
		if s.ID%2 == 0 && len(s.Methods) == 1 && strings.EqualFold(of.Type().Method(i).Name, s.Methods[0]) {
			verb, ok = reflect.TypeAssert[T](of.Method(i))
		}
	}
	return verb, ok
}

// StatusCode returns the status of the handler.
func (s *Statement) StatusCode() int { return cmp.Or(s.Status, http.StatusOK) }

// Fields sets the fields that the answer of the handler has besides.
func (s *Statement) Fields(set func(name, value string)) {
	if s.Status == http.StatusMethodNotAllowed {
		set("Allow", "GET, POST, PUT, DELETE")
	}
}

// mayDiffer reports whether a statement may be in one version alone, unlike those around it.
func (s *Statement) mayDiffer(around []*Statement) bool {
	isOther := func(outer *Statement) bool {
		isGroup := outer.Op == "group" && outer.Opt != "register" || outer.Op == "route"
		return !isGroup || outer.By != ByVerso || outer.Only != ""
	}
	hasRoutes := s.Op != "use" && !strings.HasPrefix(s.Op, "not") && s.Op != "routenotfound"
	return len(around) > 0 && s.Only == "" && hasRoutes && !slices.ContainsFunc(around, isOther)
}

// By is what registers a statement in the program with Verso.
type By string

// What registers a statement.
const (
	ByVerso     By = ""
	ByFramework By = "bare"    // the framework alone, so that there is no check
	ByNeutral   By = "neutral" // Verso, version-neutral
)

// Ware is a middleware. It calls [Env.Enter], so those of kind "a" and "b" let only requests
// with that role pass, and those of kind "ab" only requests with both, which answer in a way of their own.
type Ware struct {
	ID   int
	Kind string // "", "a", "b", "ab", preflights, or a kind of the vocabulary

	renames bool // the parameters have other names around it
}

// preflights is the kind of middleware that answers CORS preflights. The Twin field of these ends with preflighted.
const (
	preflights  = "cors"
	preflighted = "!"
)

// InFront is the ID of a middleware in front of the check, also in ways whose check is in front of the rest.
const InFront = 999

// Behind is the kind of middleware that runs behind the check.
const Behind = "behind"

// Way is how a program is built with Verso.
type Way struct {
	Name   string
	Below  string   // the prefix of the program, of the framework's own group
	InPath bool     // the version is in the path
	Param  bool     // a path parameter is the version, the place that handlers note: [Missing] without a value
	Checks bool     // the middleware of Verso checks all that it is in front of
	Early  bool     // the check is in front of the middleware of a route
	Plain  bool     // routes have no options
	Whole  bool     // the framework alone registers nothing
	Scope  bool     // the check is in front of a group of the framework's own
	Flags  []string // drawn for the way
	Chosen bool     // PerRoute may give the routes their options: see [Choice]
}

// Missing is the place of a handler whose path could have a version and has none.
const Missing = "?"

// Skips is a flag of programs whose configuration has a Skipper for requests with [SkipField].
const (
	Skips     = "skips"
	SkipField = "Skip"
)

// Request is a request to both programs.
type Request struct {
	Method, Target, Host string

	Twin    string // its own number and its role
	Version string // in the Api-Version field, and in the path where the way has it there
	Gzip    bool   // the client takes gzip

	Preflight bool // with the fields of a CORS preflight
	Skipped   bool // with the field that [Skips] looks for
}

// Outcome is the response to a request, and its trace.
type Outcome struct {
	Status int
	Header http.Header
	Body   string
	Trace  []string // what handlers and middleware have noted

	place            string   // the version of the path that a handler is registered under
	values           []string // that the adapter returns for path parameters
	pattern, address string   // what is around the whole finds in the request afterwards

	observed []verso.Observation
	isAlone  bool // no other request was sent meanwhile, so that those are all
}

// Server answers the requests of a program.
type Server struct {
	Send func(Request) Outcome // without a connection

	// Listen serves on a listener until it is closed. Some programs then get their requests over connections, several
	// at once. Optional.
	Listen func(net.Listener) error

	link func(verso.Target) (string, error) // see Linked
}

// Env is what the handlers and middleware of one program share: they note in it what they see. twin is
// the Twin field of the request. The zero Env is not valid: [Run] makes each.
type Env struct {
	mu      sync.Mutex
	traces  map[string][]string
	places  map[string]string
	values  map[string][]string
	refused map[*Statement]string

	mistaken bool                // the refused statement is a mistake
	lent     []func() bool       // see Lend
	observed []verso.Observation // since the last request was sent
}

func newEnv() *Env {
	return &Env{traces: map[string][]string{}, places: map[string]string{}, values: map[string][]string{},
		refused: map[*Statement]string{}}
}

// Note adds a line to the trace of a request. Those of handlers begin with "H" and the ID of the
// statement, those of answers without a route with "N", and what is noted behind the handler with "after".
func (e *Env) Note(twin, format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.traces[idOf(twin)] = append(e.traces[idOf(twin)], fmt.Sprintf(format, args...))
}

// Trace returns what was noted of a request.
func (e *Env) Trace(twin string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.traces[idOf(twin)])
}

// Place notes the version in the path of a handler, where the framework alone has registered it, "-" if there is none.
func (e *Env) Place(twin, version string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if version != "" && e.places[idOf(twin)] == "" {
		e.places[idOf(twin)] = version
	}
}

// Value notes what the Param of the adapter returns for a path parameter in a handler.
func (e *Env) Value(twin, value string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.values[idOf(twin)] = append(e.values[idOf(twin)], value)
}

func (e *Env) take(twin string, o Outcome) Outcome {
	e.mu.Lock()
	defer e.mu.Unlock()
	o.Trace, o.place, o.values = e.traces[idOf(twin)], e.places[idOf(twin)], e.values[idOf(twin)]
	delete(e.traces, idOf(twin))
	delete(e.places, idOf(twin))
	delete(e.values, idOf(twin))
	return o
}

// observe is for the configuration of a program.
func (e *Env) observe(_ context.Context, o verso.Observation) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.observed = append(e.observed, o)
}

// alone sends a request while there is no other.
func (e *Env) alone(r Request, send func(Request) Outcome) Outcome {
	e.mu.Lock()
	e.observed = nil
	e.mu.Unlock()
	o := e.take(r.Twin, send(r))
	e.mu.Lock()
	defer e.mu.Unlock()
	o.observed, o.isAlone = e.observed, true
	return o
}

func idOf(twin string) string {
	id, _, _ := strings.Cut(twin, " ")
	return id
}

// Enter notes a middleware, and reports whether it lets the request pass. One that does not answers [Ware.Denial].
func (e *Env) Enter(twin string, w Ware) bool {
	_, role, _ := strings.Cut(twin, " ")
	switch {
	case w.Kind == preflights:
		e.Note(twin, "C%d", w.ID)
		return !strings.HasSuffix(role, preflighted)
	case w.Kind == Behind:
		e.Note(twin, "B%d", w.ID)
	case !w.isGuard():
		e.Note(twin, "M%d", w.ID)
	case strings.Contains(role, w.Kind):
		e.Note(twin, "A%d:%s pass", w.ID, w.Kind)
	default:
		e.Note(twin, "A%d:%s deny", w.ID, w.Kind)
		return false
	}
	return true
}

// Denial is the status with which a middleware answers what it does not let pass.
func (w Ware) Denial() int {
	switch {
	case w.Kind == preflights:
		return http.StatusNoContent
	case w.ID%2 == 0: // a page of its own
		return http.StatusOK
	}
	return http.StatusForbidden
}

func (w Ware) isGuard() bool { return w.Kind == "a" || w.Kind == "b" || w.Kind == "ab" }

// Each runs the statements of a body. One that panics is refused.
func (e *Env) Each(body []*Statement, register func(s *Statement)) {
	for _, s := range body {
		e.try(s, func() { register(s) })
	}
}

func (e *Env) try(s *Statement, register func()) {
	defer func() {
		if reason := recover(); reason != nil {
			e.refused[cmp.Or(s.of, s)] = firstLine(reason)
			e.mistaken = e.mistaken || s.Op == Mistake
		}
	}()
	register()
	for _, isWhole := range e.lent {
		if !isWhole() {
			panic("a call has written behind the list of its arguments, in the memory of its caller")
		}
	}
}

// Lend returns a list for the arguments of a call, with room behind it that the call must leave alone.
func Lend[T any](e *Env, list []T) []T {
	lent := slices.Concat(list, make([]T, 1))
	e.lent = append(e.lent, func() bool { return reflect.ValueOf(&lent[len(list)]).Elem().IsZero() })
	return lent[:len(list)]
}

func firstLine(reason any) string {
	line, _, _ := strings.Cut(fmt.Sprint(reason), "\n")
	return line
}

// without returns the statements that are not refused.
func without(body []*Statement, refused map[*Statement]string) (kept []*Statement) {
	for _, s := range body {
		if _, ok := refused[s]; !ok {
			s.Body = without(s.Body, refused)
			kept = append(kept, s)
		}
	}
	return kept
}

// all calls found for each statement, with those around it.
func all(body []*Statement, around []*Statement, found func(s *Statement, around []*Statement)) {
	for _, s := range body {
		found(s, around)
		all(s.Body, append(slices.Clip(around), s), found)
	}
}

// Each calls found for each statement.
func Each(body []*Statement, found func(s *Statement)) {
	all(body, nil, func(s *Statement, _ []*Statement) { found(s) })
}

// handler is what is known of the handler of a statement.
type handler struct {
	by        By
	only      string
	preflight bool // it is for OPTIONS alone
}

// eachWare calls found for the middleware of a program in front of the checks.
func (p *Program) eachWare(found func(w *Ware)) {
	for _, wares := range [][]Ware{p.Wares, p.Each} {
		for i := range wares {
			found(&wares[i])
		}
	}
	all(p.Body, nil, func(s *Statement, _ []*Statement) {
		for i := range s.Wares {
			found(&s.Wares[i])
		}
	})
}

// hasAny reports whether a program has a handler for every method, as a mount is.
func (p *Program) hasAny() (has bool) {
	all(p.Body, nil, func(s *Statement, _ []*Statement) {
		has = has || slices.Contains([]string{"any", "all", "mount"}, s.Op)
	})
	return has
}

// handlers returns the handlers of a program by their notes: "H7".
func (p *Program) handlers() map[string]handler {
	known := make(map[string]handler)
	all(p.Body, nil, func(s *Statement, around []*Statement) {
		h := handler{by: s.By, only: s.Only}
		h.preflight = slices.Equal(s.Methods, []string{"OPTIONS"}) || strings.HasPrefix(s.Path+" ", "OPTIONS ")
		for _, outer := range around {
			h.by, h.only = by(outer.By, h.by), or(h.only, outer.Only)
		}
		known[fmt.Sprint("H", s.ID)] = h
	})
	return known
}

func by(outer, inner By) By {
	if outer != ByVerso {
		return outer
	}
	return inner
}

func or(first, second string) string {
	if first != "" {
		return first
	}
	return second
}

// String prints a program.
func (p *Program) String() string { return p.text(true) }

func (p *Program) text(withIDs bool) string {
	var text strings.Builder
	fmt.Fprintf(&text, "way=%s flags=%v%s", p.Way, p.Flags, waresText(p.Wares, withIDs))
	fmt.Fprintln(&text, waresText(p.After, withIDs)+waresText(p.Each, withIDs))
	all(p.Body, nil, func(s *Statement, around []*Statement) {
		indent := strings.Repeat("    ", 1+len(around))
		fmt.Fprintf(&text, "%s%s %s %q", indent, s.Op, strings.Join(s.Methods, ","), s.Path)
		if withIDs {
			fmt.Fprintf(&text, " H%d", s.ID)
		}
		if s.Status != 0 {
			fmt.Fprintf(&text, " answers %d", s.Status)
		}
		fmt.Fprintln(&text, "", s.Opt, s.By, s.Only, waresText(s.Wares, withIDs)+s.Name)
	})
	return text.String()
}

func waresText(wares []Ware, withIDs bool) string {
	var names []string
	for _, w := range wares {
		name := or(w.Kind, "m")
		if withIDs {
			name += strconv.Itoa(w.ID)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return " with[" + strings.Join(names, " ") + "]"
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
