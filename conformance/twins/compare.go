package twins

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
)

// Handlers returns the handlers that have run, such as "H7".
func (o Outcome) Handlers() []string { return firstWords(notes(o.Trace, "H")) }

// IsUnmatched reports whether no handler ran, and the answer is the router's.
func (o Outcome) IsUnmatched() bool {
	return o.answered() == 0 && (o.Status == http.StatusNotFound || o.Status == http.StatusMethodNotAllowed)
}

// answered returns how many handlers have run that do not pass the request on to another route.
func (o Outcome) answered() (n int) {
	for _, note := range notes(o.Trace, "H") {
		if !strings.HasSuffix(note, "forwards") {
			n++
		}
	}
	return n
}

// isForwarded reports whether a handler passed the request on to another route: Gin gives that another writer, perhaps
// behind a timeout, so that its fields are lost.
func (o Outcome) isForwarded() bool { return len(o.Handlers()) > o.answered() }

// isRejection reports whether Verso has answered.
func (o Outcome) isRejection() bool {
	return o.Header.Get("Content-Type") == verso.ProblemType || o.Body == answered ||
		strings.HasPrefix(o.Body, `{"type":"https://github.com/goverso/verso/`) // by a framework's own error handler
}

// isDenied reports whether a guard has answered.
func (o Outcome) isDenied() bool {
	guards := notes(o.Trace, "A")
	return len(notes(o.Trace, "H")) == 0 && len(guards) > 0 && strings.HasSuffix(guards[len(guards)-1], "deny")
}

// before returns what was noted in front of the answer.
func (o Outcome) before() []string { return notIn(o.Trace, notes(o.Trace, "after")) }

// isStopped reports whether a guard answered, perhaps behind a handler that called Next.
func (o Outcome) isStopped() bool {
	trace := o.before()
	return len(trace) > 0 && trace[len(trace)-1][0] == 'A' && strings.HasSuffix(trace[len(trace)-1], "deny")
}

// isAnsweredEarly reports whether middleware of a route of Verso itself has answered in front of its handler.
func (p *Program) isAnsweredEarly(denied, whole Outcome) (is bool) {
	ran, guards := whole.Handlers(), notes(denied.Trace, "A")
	if len(ran) == 0 || p.handlers()[ran[0]].by != ByVerso {
		return false
	}
	all(p.Body, nil, func(s *Statement, around []*Statement) {
		wares := s.Wares
		for _, outer := range around {
			if p.Way == "each" { // else groups install it by path
				wares = slices.Concat(outer.Wares, wares)
			}
		}
		is = is || ran[0] == fmt.Sprint("H", s.ID) && slices.ContainsFunc(slices.Concat(p.Each, wares), func(w Ware) bool {
			return strings.HasPrefix(guards[len(guards)-1], fmt.Sprintf("A%d:", w.ID))
		})
	})
	return is
}

// Kinds of differences, in the order of their severity.
const (
	LostGuard     = "1 a guard is lost"
	OtherHandler  = "2 another handler"
	OtherStatus   = "3 another status"
	OtherView     = "4 what the handler sees"
	OtherOrder    = "5 the middleware of a route"
	OtherField    = "6 a field: "
	OtherBody     = "7 the body"
	OtherMatching = "8 middleware without a route"
	OtherCount    = "9 another Observation"
)

// announced are the fields that Verso adds, by docs/lifecycle.md and docs/operating.md.
var announced = []string{"Vary", "Deprecation", "Sunset", "Link", "Access-Control-Expose-Headers"}

// judge returns what is wrong with the answer of the twin, "" for nothing.
func (p *Program) judge(way Way, r Request, bare, own Outcome) (kind, detail string) {
	isElsewhere := own.isRejection() && len(own.Handlers()) > 0 // where the handler has forwarded the request
	if r.Preflight && (way.Checks || way.Scope) && p.isBesideAny(bare) && own.isDecided() && !isElsewhere {
		r.Preflight = false // docs/operating.md, CORS: a handler for every method may have OPTIONS, too
	}
	if rejected, at, statuses := p.rejected(way, r, bare); rejected {
		kind, detail = judgeRejection(way, own, bare.Trace[:at], statuses)
		if kind != "" || bare.isForwarded() || own.Status == http.StatusNoContent { // a preflight
			return kind, detail
		}
		isAnswered := p.Has(Answers) && Answer(r.Twin) != "" && r.Method != http.MethodHead
		if kind, detail = own.judgeAnswer(way); kind == "" && isAnswered && own.Body != answered {
			kind, detail = OtherBody, fmt.Sprintf("of a rejection, which the ErrorHandler has answered: %q", own.Body)
		}
		if kind == "" {
			kind, detail = own.judgeObserved(way, r.Method, "", true)
		}
		return kind, detail
	}
	if bare.Status < 0 && len(bare.Trace) == 0 { // the framework's router panics, as Gin's does for some paths
		return "", ""
	}
	isHeadOf404 := r.Method == http.MethodHead && own.Body == "" &&
		(own.Status != bare.Status || own.Header.Get("Content-Language") != "")
	if own.isRejection() || isHeadOf404 && p.Has("v.NotFound") {
		if p.Has("v.NotFound") && bare.IsUnmatched() && !isServed(r.Version) && own.answered() == 0 && !r.Preflight {
			if own.isRejection() && !bare.isForwarded() {
				return own.judgeAnswer(Way{InPath: true}) // a route that only some versions have may be there
			}
			return "", "" // by NotFound
		}
		if r.Preflight && bare.isForwarded() {
			return "", "" // in front of a guard of the other route
		}
		return OtherStatus, fmt.Sprint(bare.Status, " ", bare.Trace, " -> rejected with ", own.Status)
	}
	// Else a group of the framework may answer. Fiber answers // without any middleware.
	isBeside := p.Has("strict") && r.Target == way.Below // the mount of a strict Fiber has a slash
	isWhole := strings.HasPrefix(r.Target+"/", way.Below+"/") && !isBeside && !way.InPath && !way.Plain &&
		len(notes(bare.Trace, "saw /")) == 0 && !strings.HasPrefix(r.Target, "//")
	isEnded := isWhole && r.Version == Ended || p.isBelowEnded(way, r)
	if p.Has("v.NotFound") && isEnded && !r.Preflight && bare.IsUnmatched() && p.isVersioned() {
		return OtherStatus, fmt.Sprint(bare.Status, " ", bare.Trace, " -> not rejected by NotFound: ", own.Status)
	}
	if kind, detail = p.difference(r, bare, own); kind == "" && own.Status > 0 {
		kind, detail = p.announcement(way, r, bare, own)
	}
	return kind, detail
}

// isBelowEnded reports whether the path of a request begins with the ended version.
func (p *Program) isBelowEnded(way Way, r Request) bool {
	prefix, path := p.Base()+"/"+Ended+"/", r.Target+"/"
	if p.Has("extra") { // Gin removes extra slashes
		path = cleaned(path) + "/"
	}
	return way.InPath && !way.Param && !way.Plain && strings.HasPrefix(path, prefix)
}

// announcement compares the fields of Verso with those that the handlers of the bare program call for.
func (p *Program) announcement(way Way, r Request, bare, own Outcome) (kind, detail string) {
	checked, isNeutral, known, version := false, false, p.handlers(), r.Version
	switch {
	case way.InPath && (bare.place == "-" || bare.place == Missing && p.Has("default")):
		version = First // by default
	case way.InPath:
		version = bare.place
	}
	for _, note := range bare.Trace {
		h, ok := known[idOf(note)]
		isUndecided := r.Preflight && (h.isPreflight(way) || version == "" && !way.InPath || version == Missing)
		checked = checked || ok && !r.Skipped && h.by != ByNeutral && (h.by != ByFramework || way.Checks) && !isUndecided
		isNeutral = ok && (h.by == ByNeutral || isUndecided) || !ok && isNeutral // the last one answers
	}
	switch {
	case !checked && (way.Early && bare.isDenied() || p.Has("v.NotFound") && bare.IsUnmatched()):
		return "", "" // by a check in front of a guard, or by NotFound
	case bare.isForwarded():
		return p.judgeRelayed(way, r, own)
	case announcesVary(own) != (checked && !way.InPath):
		return OtherField + "Vary", fmt.Sprintf("%q -> %q", bare.Header["Vary"], own.Header["Vary"])
	}
	for _, name := range []string{"Deprecation", "Sunset"} {
		if ends := checked && version == First; (len(own.Header[name]) > 0) != ends {
			return OtherField + name, fmt.Sprintf("in %q: %q", version, own.Header[name])
		}
	}
	if (!checked || isNeutral) && len(own.observed) == 0 {
		return "", ""
	}
	if !checked { // the answer of a group: no handler of the bare program has a version
		version = own.observed[0].Served.String()
	}
	return own.judgeObserved(way, r.Method, version, false)
}

// judgeObserved checks the one Observation of a checked request. served is the version that answers.
func (o Outcome) judgeObserved(way Way, method, served string, rejected bool) (kind, detail string) {
	if !o.isAlone {
		return "", ""
	}
	detail = fmt.Sprintf("%+v", o.observed)
	if len(o.observed) != 1 {
		return OtherCount, fmt.Sprintf("%d times: %s", len(o.observed), detail)
	}
	if method == "PURGE" {
		method = "_OTHER"
	}
	told := o.observed[0]
	hasRoute := told.Route != "" || way.Checks && o.Status >= http.StatusNotFound // of a ServeMux in a handler
	ran, isSeen := notes(o.Trace, "H"), way.Checks && o.pattern != ""
	if isSeen { // of the innermost router
		ran = []string{o.pattern}
	}
	isDenied := slices.ContainsFunc(o.Trace, func(note string) bool { return strings.HasSuffix(note, "deny") })
	if len(ran) == 1 && (o.Status < 300 && !isDenied || isSeen) && strings.Contains(ran[0], "/") && !way.InPath {
		saw := inPattern.Replace(slashes.ReplaceAllString(ran[0], "/") + " ")
		hasRoute = strings.Contains(saw, strings.TrimSuffix(slashes.ReplaceAllString(told.Route, "/"), "/")+" ")
	}
	isOther := !rejected && strings.HasPrefix(told.Source, "header") == way.InPath
	if isOther || told.Method != method || !hasRoute || told.Served.String() != served ||
		(told.Outcome == verso.OutcomeServed) == rejected {
		return OtherCount, detail
	}
	return "", ""
}

// inPattern drops what the pattern of a route in chi lacks: a slash at the end, and the format that URLFormat reads.
var inPattern = strings.NewReplacer("/.x ", " ", ".x ", " ", "/ ", " ")

// relayed ends the note of a handler that sends the request to another route, with a writer of its own.
const relayed = "relays, forwards"

// judgeRelayed checks that a request within another one is observed as well.
func (p *Program) judgeRelayed(way Way, r Request, own Outcome) (kind, detail string) {
	ran, known := notes(own.Trace, "H"), p.handlers()
	isOther := func(note string) bool { h := known[idOf(note)]; return h.by != ByVerso || h.preflight }
	if len(ran) != 2 || !strings.HasSuffix(ran[0], relayed) || way.Plain || !own.isAlone || r.Preflight ||
		slices.ContainsFunc(ran, isOther) {
		return "", ""
	}
	if len(own.observed) != len(ran) {
		return OtherCount, fmt.Sprintf("%d times: %+v", len(own.observed), own.observed)
	}
	return "", ""
}

// judgeAnswer checks the fields of a rejection.
func (o Outcome) judgeAnswer(way Way) (kind, detail string) {
	vary := strings.Join(o.Header["Vary"], ",")
	if !way.InPath && !announcesVary(o) || !strings.Contains(vary, "Accept-Language") {
		return OtherField + "Vary", fmt.Sprintf("of a rejection: %q", vary)
	}
	if o.Header.Get("Content-Language") != "en" {
		return OtherField + "Content-Language", fmt.Sprintf("of a rejection: %q", o.Header["Content-Language"])
	}
	return "", ""
}

// isPreflight reports whether a handler gets each preflight, without a version: for OPTIONS alone, and without options.
func (h handler) isPreflight(way Way) bool {
	return h.preflight && h.only == "" && way.Name != "versions"
}

// isBesideAny reports whether a handler for OPTIONS alone has run, in a program with a handler for every method.
func (p *Program) isBesideAny(bare Outcome) bool {
	known := p.handlers()
	return p.hasAny() && slices.ContainsFunc(bare.Handlers(), func(id string) bool { return known[id].preflight })
}

// isDecided reports whether a check has determined the version of a request.
func (o Outcome) isDecided() bool {
	return o.isRejection() || announcesVary(o) || len(o.Header["Deprecation"]) > 0
}

// announcesVary reports whether the version is among what the response depends on.
func announcesVary(o Outcome) bool {
	return strings.Contains(strings.Join(o.Header["Vary"], ","), "Api-Version")
}

// isVersioned reports whether all routes of a program have versions, and no answers for other requests but NotFound.
func (p *Program) isVersioned() bool {
	is, hasRoute := true, false
	all(p.Body, nil, func(s *Statement, around []*Statement) {
		isOwn := strings.HasPrefix(s.Op, "no") && // the answer of a router that Verso has not made
			(p.Way == "in" || slices.ContainsFunc(around, func(s *Statement) bool { return s.Op == "mount" }))
		hasRoute = hasRoute || s.Op != "use" && len(s.Body) == 0
		is = is && s.By == ByVerso && !isOwn && s.Op != "routenotfound" && s.Op != "host"
	})
	return is && hasRoute
}

func isServed(version string) bool { return version == First || version == Last }

// rejected reports whether Verso must reject a request, since the bare program runs a handler with a check. The trace
// ends at the handler then.
func (p *Program) rejected(way Way, r Request, bare Outcome) (rejected bool, at int, statuses []int) {
	known := p.handlers()
	for at, note := range bare.Trace {
		id, _, _ := strings.Cut(note, " ")
		h, ok := known[id]
		if !ok || r.Skipped || h.by == ByNeutral || h.by == ByFramework && !way.Checks || r.Preflight && h.isPreflight(way) {
			continue
		}
		version := r.Version
		if way.InPath {
			version = bare.place
		}
		switch {
		case version == "-" && way.InPath, version == Missing && p.Has("default") && (!r.Preflight || h.only == First):
			version = First
		case version == "" && way.InPath:
			continue // a route without a version in its path
		case version == Missing:
			version = ""
		}
		switch {
		case version == Ended:
			statuses = []int{http.StatusGone}
		case way.InPath && version != "" && !isServed(version):
			statuses = []int{http.StatusNotFound}
		case version == "" && r.Preflight && h.only == "" && way.Name != "versions":
			continue // the handler runs without a version
		case version == "" && r.Preflight:
			statuses = []int{http.StatusNoContent}
		case !isServed(version):
			statuses = []int{http.StatusBadRequest}
		case h.only != "" && !strings.Contains(h.only, version):
			statuses = []int{http.StatusNotFound, http.StatusMethodNotAllowed} // another method has the path
		default:
			continue
		}
		if (h.only == Last || h.only == Both) && version == Ended {
			statuses = append(statuses, http.StatusNotFound, http.StatusMethodNotAllowed)
		}
		return true, at, statuses
	}
	return false, 0, nil
}

// judgeRejection compares a rejection with what has run in front of the handler.
func judgeRejection(way Way, own Outcome, before []string, statuses []int) (kind, detail string) {
	ran := own.before()
	forwarded := len(before) // by a handler whose check let the request pass
	for forwarded > 0 && !strings.HasPrefix(before[forwarded-1], "H") {
		forwarded--
	}
	rest := before[forwarded:]
	before = slices.Concat(before[:forwarded], notIn(rest, notes(rest, "B")))
	isSame := slices.Equal(ran, before) || way.Early && len(ran) <= len(before) && slices.Equal(ran, before[:len(ran)])
	front := fmt.Sprint("M", InFront)
	isSame = isSame && slices.Contains(ran, front) == slices.Contains(before, front)
	switch {
	case len(notes(own.Trace, "H")) > len(notes(before, "H")):
		return OtherHandler, fmt.Sprint("of an unserved version: ", own.Trace)
	case !slices.Contains(statuses, own.Status) || !own.isRejection() && own.Body != "":
		return OtherStatus, fmt.Sprint("rejected with ", statuses, " -> ", own.Status)
	case own.Body == answered && strings.Contains(fmt.Sprint(notes(own.Trace, "after")), "verso"):
		return OtherOrder, fmt.Sprint("middleware sees an error that is answered: ", own.Trace)
	case slices.ContainsFunc(own.Trace, func(note string) bool { return strings.HasSuffix(note, " unwritten") }):
		return OtherOrder, fmt.Sprint("middleware sees a rejection before it is written: ", own.Trace)
	case !isSame:
		return OtherOrder, fmt.Sprint("of a rejection: ", before, " -> ", ran)
	}
	return "", ""
}

// difference compares answers of versions that are served.
func (p *Program) difference(r Request, bare, own Outcome) (kind, detail string) {
	seen, sees := notes(bare.Trace, "H"), notes(own.Trace, "H")
	switch {
	case p.losesGuard(bare, own):
		return LostGuard, fmt.Sprint(bare.Trace, " -> ", own.Trace)
	case !slices.Equal(firstWords(seen), firstWords(sees)):
		return OtherHandler, fmt.Sprint(bare.Trace, " -> ", own.Trace)
	case bare.Status != own.Status:
		return OtherStatus, fmt.Sprint(bare.Status, " -> ", own.Status)
	case !slices.Equal(seen, sees):
		return OtherView, fmt.Sprint(seen, " -> ", sees)
	case !own.hasValues(r):
		return OtherView, fmt.Sprintf("Param returns %q", own.values)
	case bare.address != own.address || bare.pattern != "" && own.pattern == "":
		return OtherView, fmt.Sprint("around the whole: ", bare.address, bare.pattern, " -> ", own.address, own.pattern)
	case len(sees) > 0 && !slices.Equal(bare.Trace, own.Trace):
		return OtherOrder, fmt.Sprint(bare.Trace, " -> ", own.Trace)
	}
	if before, after := methodsOf(bare), methodsOf(own); before != after {
		return OtherField + "Allow", before + " -> " + after
	}
	names := make(map[string]bool)
	for _, o := range []Outcome{bare, own} {
		for name := range o.Header {
			names[name] = true
		}
	}
	for _, name := range sortedKeys(names) {
		before, after := bare.Header[name], own.Header[name]
		if name != "Allow" && !slices.Contains(announced, name) && !slices.Equal(before, after) {
			return OtherField + name, fmt.Sprintf("%q -> %q", before, after)
		}
	}
	switch {
	case bare.Body != own.Body:
		return OtherBody, fmt.Sprintf("%q -> %q", bare.Body, own.Body)
	case !slices.Equal(bare.Trace, own.Trace):
		return OtherMatching, fmt.Sprint(bare.Trace, " -> ", own.Trace)
	}
	return "", ""
}

// hasValues reports whether the path, percent-decoded once, has the values from Param. Middleware may clean it, or add a
// slash.
func (o Outcome) hasValues(r Request) bool {
	sent, err := url.PathUnescape(r.Target)
	isElsewhere := func(value string) bool {
		return !strings.Contains(sent+"/", value) && !strings.Contains(path.Clean(sent)+"/", value)
	}
	return err != nil || o.isForwarded() || !slices.ContainsFunc(o.values, isElsewhere)
}

// losesGuard reports whether a handler runs without a guard around it, or although a guard denies the request.
func (p *Program) losesGuard(bare, own Outcome) bool {
	for _, id := range own.Handlers() {
		if slices.Contains(bare.Handlers(), id) {
			return len(bare.Lost(own)) > 0
		}
	}
	return bare.isDenied() && len(own.Handlers()) > 0
}

// Lost returns the notes of middleware that the trace of another outcome lacks.
func (o Outcome) Lost(other Outcome) []string {
	return notIn(notes(o.Trace, "A"), notes(other.Trace, "A"))
}

func notes(trace []string, prefix string) (found []string) {
	for _, note := range trace {
		if strings.HasPrefix(note, prefix) {
			found = append(found, note)
		}
	}
	return found
}

func notIn(notes, others []string) []string {
	return slices.DeleteFunc(slices.Clone(notes), func(note string) bool { return slices.Contains(others, note) })
}

func firstWords(notes []string) (words []string) {
	for _, note := range notes {
		words = append(words, idOf(note))
	}
	return words
}

// methodsOf returns the methods of the Allow field in an order that stays: some routers have them in a map.
func methodsOf(o Outcome) string {
	isBetween := func(r rune) bool { return r == ',' || r == ' ' }
	listed := strings.FieldsFunc(strings.Join(o.Header["Allow"], ","), isBetween)
	slices.Sort(listed)
	return strings.Join(slices.Compact(listed), ",")
}
