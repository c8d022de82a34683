package twins

import (
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// Run compares programs of each way, in a subtest each.
func Run(t *testing.T, f Framework) {
	t.Helper()
	f.checkPages(t)
	first := uint64(number("VERSO_TWINS_SEED", 0))
	total, count := tally{permitted: map[string]int{}, refusals: map[string]int{}}, uint64(number("VERSO_TWINS", min(40, 280/len(f.Ways))))
	for i, way := range f.Ways {
		if only := os.Getenv("VERSO_TWINS_WAY"); only != "" && only != way.Name {
			continue
		}
		t.Run(way.Name, func(t *testing.T) {
			c := comparison{f: &f, way: way, t: t, found: map[string]*finding{}, samples: map[string]int{}, tally: &total}
			for seed := first; seed < first+count; seed++ {
				c.run(seed, uint64(i))
			}
			c.report()
		})
	}
	total.report(t, &f, first)
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// api returns the versions of a program.
func (w Way) api(p *Program, e *Env) *verso.Versioning {
	config := verso.Config{
		Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
			{Version: Ended, Sunset: catalogue.MustDate("2020-01-01")},
			{Version: First, Deprecated: catalogue.MustDate("2024-01-01"), Sunset: catalogue.MustDate("2100-01-01")},
			{Version: Last}}}),
		Logger:     slog.New(slog.DiscardHandler),
		Observe:    e.observe,
		Translator: english{},
	}
	if !w.InPath {
		return verso.MustNew(verso.First(verso.QueryParam("v"), verso.Header(VersionField)), config)
	}
	if p.Has("default") {
		config.DefaultVersion = verso.V(First)
	}
	if w.Param {
		return verso.MustNew(verso.PathParam("version"), config)
	}
	return verso.MustNew(verso.PathPrefix(p.Base()+"/{version}"), config)
}

// built is a program as it serves.
type built struct {
	env    *Env
	send   func(Request) Outcome // nil if the whole is refused
	listen func(net.Listener) error
	link   func(verso.Target) (string, error)
	panic  string // that refused it
}

func (f *Framework) twin(way Way, p *Program, withVerso bool) (b built) {
	b.env = newEnv()
	defer func() {
		if reason := recover(); reason != nil {
			b.panic = firstLine(reason)
		}
	}()
	var api *verso.Versioning
	if withVerso {
		api = way.api(p, b.env)
	}
	server := f.Build(p, api, b.env)
	b.listen, b.link = server.Listen, server.link
	b.send = func(r Request) (o Outcome) {
		defer func() {
			if reason := recover(); reason != nil {
				o = b.env.take(r.Twin, Outcome{Status: -1, Body: "panic: " + firstLine(reason)})
			}
		}()
		return b.env.alone(r, server.Send)
	}
	return b
}

func (b built) isRefused() bool { return b.panic != "" || len(b.env.refused) > 0 }

// comparison is of the programs of a way.
type comparison struct {
	f       *Framework
	way     Way
	t       *testing.T
	found   map[string]*finding
	samples map[string]int // that were made small, by kind and statuses

	programs, discarded, requests, handled int
	*tally
}

// tally counts for all ways of a framework.
type tally struct {
	programs, requests, handled int
	permitted                   map[string]int // requests by allowance
	refusals                    map[string]int // statements, and programs, by the text
}

// finding is a difference.
type finding struct {
	kind, detail string
	program      *Program
	request      Request
	bare, own    Outcome
	count        int
	seed         uint64
}

func (c *comparison) run(seed, stream uint64) {
	g := &Gen{Rand: rand.New(rand.NewPCG(seed, stream))}
	p := c.draw(g)
	if !c.prune(p) {
		c.discarded++
		return
	}
	bare, own, ok := c.both(p, seed)
	if !ok {
		return
	}
	c.programs++
	c.tally.programs++
	patterns, requests := spots("", "", p.Body), make([]Request, number("VERSO_TWINS_REQUESTS", 40))
	for i := range requests {
		var role string
		requests[i] = g.request(c.way, p, patterns, &role)
		if requests[i].Preflight {
			role += preflighted
		}
		requests[i].Twin = fmt.Sprint(i, " ", role)
	}
	before, after := bare.answers(requests, seed), own.answers(requests, seed)
	for i, r := range requests {
		c.requests++
		c.tally.requests++
		b, o := before[i], after[i]
		if len(b.Handlers()) > 0 {
			c.handled++
			c.tally.handled++
		}
		if kind, _ := c.judge(p, bare, r, b, o); kind != "" {
			c.differs(p, r, kind, b, o, seed)
		}
	}
	c.links(p, own, seed)
}

// draw draws a program that the way can build.
func (c *comparison) draw(g *Gen) *Program {
	p := c.f.Generate(g)
	p.Way = c.way.Name
	for _, flag := range c.way.Flags {
		if g.OneIn(2) {
			p.Flags = append(p.Flags, flag)
		}
	}
	if !c.way.Plain && g.OneIn(3) {
		p.After = []Ware{{ID: g.Next(), Kind: Behind}, {ID: g.Next(), Kind: Behind}}[:1+g.IntN(2)]
	}
	if !c.way.Plain && g.OneIn(3) {
		p.Flags = append(p.Flags, Rewritten)
	}
	if g.OneIn(4) {
		p.Flags = append(p.Flags, Answers)
	}
	if c.way.Checks && g.OneIn(3) {
		p.Flags = append(p.Flags, Skips)
	}
	if c.way.Chosen && g.OneIn(3) {
		p.Flags = append(p.Flags, PerRoute)
	}
	all(p.Body, nil, func(s *Statement, around []*Statement) {
		if !p.Has(PerRoute) && s.mayDiffer(around) && g.OneIn(12) {
			s.Only = One(g, First, Last)
		}
		if !p.Has(PerRoute) && len(s.Body) > 0 && g.OneIn(16) { // the version before has nothing there
			for _, inner := range s.Body {
				if inner.mayDiffer(append(slices.Clip(around), s)) {
					inner.Only = Last
				}
			}
		}
		if g.OneIn(8) {
			s.Status = One(g, http.StatusCreated, http.StatusNotFound, http.StatusMethodNotAllowed,
				http.StatusInternalServerError)
		}
		if c.way.Plain {
			s.Only = ""
		}
		if c.way.Plain && s.By == ByNeutral || c.way.Whole {
			s.By = ByVerso
		}
	})
	if c.way.Early || c.way.Scope { // the check may be in front of it
		p.eachWare(func(w *Ware) {
			if w.Kind == preflights {
				w.Kind = ""
			}
		})
	}
	if strings.HasPrefix(p.Way, "each") {
		p.Each = g.Wares(2)
	}
	if !c.way.Plain && !c.way.Param && !p.Has(PerRoute) {
		g.nameRoutes(p)
	}
	if c.f.Fit != nil {
		c.f.Fit(p)
	}
	if len(c.f.Mistakes) > 0 && len(p.Body) > 0 && g.OneIn(2) {
		g.addMistake(p, c.f.Mistakes)
	}
	return p
}

// prune removes the statements that the framework alone refuses.
func (c *comparison) prune(p *Program) bool {
	for range 30 {
		b := c.f.twin(c.way, p, false)
		if b.panic != "" {
			return false
		}
		if len(b.env.refused) == 0 {
			return true
		}
		p.Body = without(p.Body, b.env.refused)
	}
	return false
}

// both builds a program with and without Verso. What Verso refuses is left out, in both.
func (c *comparison) both(p *Program, seed uint64) (bare, own built, ok bool) {
	for range 10 {
		if bare, own = c.f.twin(c.way, p, false), c.f.twin(c.way, p, true); !own.isRefused() {
			break
		}
		maps.DeleteFunc(own.env.refused, func(s *Statement, _ string) bool { // perhaps since a mistake has left a route
			return s.Op != Mistake && own.env.mistaken
		})
		for s, text := range own.env.refused {
			switch {
			case s.Op == Mistake && !c.f.isRefused(s, text) && !p.hasNameTwice(nil): // or the path is refused first
				key := s.Opt + masked(text)
				c.note(&finding{kind: "0 a mistake", detail: s.Opt + ": " + text, program: clone(p), seed: seed}, key)
			case s.Op != Mistake && c.f.refusal(text) == "":
				p := &Program{Way: p.Way, Flags: p.Flags, Body: []*Statement{s}}
				c.note(&finding{kind: "0 refused", detail: text, program: p, seed: seed}, masked(text))
			case s.Op != Mistake && !p.hasReason(text, s):
				f := &finding{kind: "0 refused without its reason", detail: text, program: clone(p), seed: seed}
				c.note(f, masked(text))
			case s.Op != Mistake:
				c.refusals[c.f.refusal(text)]++
			}
		}
		// A refused statement may leave half of what it registers.
		if own.panic != "" && len(own.env.refused) == 0 {
			c.refused(p, own.panic, seed)
			return bare, own, false
		}
		p.Body = without(p.Body, own.env.refused)
	}
	p.Body = withoutMistakes(p.Body) // which this way does not make
	return bare, own, bare.send != nil && own.send != nil && len(p.Body) > 0
}

// refused notes a program that Verso refuses as a whole.
func (c *comparison) refused(p *Program, reason string, seed uint64) {
	if text := c.f.refusal(reason); text != "" {
		if c.refusals[text]++; !p.hasReason(reason, nil) {
			f := &finding{kind: "0 refused without its reason", detail: reason, program: clone(p), seed: seed}
			c.note(f, masked(reason))
		}
		return
	}
	small := c.shrink(p, func(p *Program) bool {
		own := c.f.twin(c.way, p, true)
		bare := c.f.twin(c.way, p, false)
		return !bare.isRefused() && len(own.env.refused) == 0 && masked(own.panic) == masked(reason)
	})
	c.note(&finding{kind: "0 refused", detail: reason, program: small, seed: seed}, masked(reason))
}

// judge compares two answers. Verso's middleware may reject a request in front of a guard, so there the bare program
// shows whether a handler would run for all roles.
func (c *comparison) judge(p *Program, bare built, r Request, b, o Outcome) (kind, detail string) {
	if c.way.Early && (b.isDenied() || b.isStopped()) && o.Status != b.Status {
		r.Twin = idOf(r.Twin) + " ab"
		b = bare.send(r)
	}
	if c.f.ChecksAnswers && b.isStopped() && b.Status/100 == 2 && r.Method != http.MethodOptions {
		if isEarlier, _, _ := p.rejected(c.way, r, b); isEarlier { // by an earlier handler
			return p.judge(c.way, r, b, o)
		}
		whole := r
		whole.Twin = idOf(r.Twin) + " ab"
		if all := bare.send(whole); p.isAnsweredEarly(b, all) || o.isRejection() {
			rejected, at, statuses := p.rejected(c.way, whole, all)
			isSure := rejected && len(notes(all.Trace[:at], "H")) == 0 // else only Next would have got to the handler
			switch isRight := slices.Contains(statuses, o.Status) && slices.Equal(b.before(), o.before()); {
			case rejected && isRight:
				return "", ""
			case isSure:
				return OtherStatus, fmt.Sprint("answered early: rejected with ", statuses, " -> ", o.Status, o.Trace)
			}
		}
	}
	return p.judge(c.way, r, b, o)
}

// differs allows a difference, or makes its program small.
func (c *comparison) differs(p *Program, r Request, kind string, bare, own Outcome, seed uint64) {
	if name := c.f.allowed(p, r, bare, own, kind); name != "" {
		c.permitted[name]++
		return
	}
	coarse := fmt.Sprint(kind, bare.Status, own.Status)
	if c.samples[coarse]++; c.samples[coarse] > number("VERSO_TWINS_SAMPLES", 6) {
		return
	}
	small := c.shrink(p, func(p *Program) bool { _, _, still := c.again(p, r, kind); return still })
	for _, plain := range []func(r *Request){
		func(r *Request) { r.Host = "example.com" }, func(r *Request) { r.Twin = "0 ab" },
		func(r *Request) { r.Method = "GET" }, func(r *Request) { r.Gzip = false },
	} {
		easier := r
		plain(&easier)
		if _, _, still := c.again(small, easier, kind); still {
			r = easier
		}
	}
	f := &finding{kind: kind, program: small, request: r, bare: bare, own: own, seed: seed}
	if b, o, still := c.again(small, r, kind); still {
		f.bare, f.own = b, o
	}
	_, f.detail = c.judge(small, c.f.twin(c.way, small, false), r, f.bare, f.own)
	c.note(f, small.text(false)+fmt.Sprint(f.bare.Status, f.own.Status))
}

// again builds a program anew, several times since a difference may depend on the order of a map.
func (c *comparison) again(p *Program, r Request, kind string) (bare, own Outcome, still bool) {
	b := c.f.twin(c.way, p, false)
	if b.isRefused() || len(p.Body) == 0 {
		return bare, own, false
	}
	bare = b.send(r)
	for range 3 {
		o := c.f.twin(c.way, p, true)
		if o.isRefused() {
			return bare, own, false
		}
		own = o.send(r)
		if now, _ := c.judge(p, b, r, bare, own); now == kind && c.f.allowed(p, r, bare, own, kind) == "" {
			return bare, own, true
		}
	}
	return bare, own, false
}

func (c *comparison) note(f *finding, key string) {
	key = f.kind + " " + key
	if before := c.found[key]; before != nil {
		before.count++
		return
	}
	f.count = 1
	c.found[key] = f
}

var varying = regexp.MustCompile(`\d+|"[^"]*"|/[^ ]*`)

func masked(text string) string { return varying.ReplaceAllString(text, "…") }

func (c *comparison) report() {
	kinds := make(map[string]int)
	for _, key := range sortedKeys(c.found) {
		f := c.found[key]
		if kinds[f.kind]++; kinds[f.kind] > number("VERSO_TWINS_SHOW", 6) {
			continue
		}
		text := fmt.Sprintf("%s (%d times, VERSO_TWINS_SEED=%d): %s\n%s", f.kind, f.count, f.seed, f.detail, f.program)
		if f.request.Method != "" {
			text += fmt.Sprintf("    %+v\n    bare  %d %v %v %.60q\n    Verso %d %v %v %.60q", f.request, f.bare.Status, f.bare.Trace,
				f.bare.Header, f.bare.Body, f.own.Status, f.own.Trace, f.own.Header, f.own.Body)
		}
		c.t.Error(text)
	}
	c.t.Logf("%d programs, %d not of the framework, %d requests, %d of them for a handler; %d classes of differences",
		c.programs, c.discarded, c.requests, c.handled, len(c.found))
}

// report prints the share of allowed differences, which is bounded.
func (y *tally) report(t *testing.T, f *Framework, first uint64) {
	t.Helper()
	sum := 0
	for _, name := range sortedKeys(y.permitted) {
		sum += y.permitted[name]
		t.Logf("allowed %s: %d", name, y.permitted[name])
	}
	for _, text := range sortedKeys(y.refusals) {
		t.Logf("refused %q: %d", text, y.refusals[text])
	}
	share := float64(sum) * 10_000 / float64(max(y.requests, 1))
	t.Logf("seeds from %d: %d programs, %d requests, %d for a handler", first, y.programs, y.requests, y.handled)
	t.Logf("%.1f of 10,000 requests with an allowed difference (at most %.1f)", share, f.MostAllowed)
	if y.requests >= 5_000 && share > f.MostAllowed { // fewer have a share by chance
		t.Errorf("%.1f of 10,000 requests have an allowed difference: at most %.1f", share, f.MostAllowed)
	}
	for _, a := range f.Allowed {
		if y.programs > 200_000 && y.permitted[a.Name] == 0 {
			t.Errorf("no request differs as %s allows: remove it", a.Name)
		}
	}
}
