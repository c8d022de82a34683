package conformance

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// answer is what the model predicts for a request: the handler of a route from a version on
// runs in a version, or none does. The status of a rejection is left to the cases: here it is
// enough that no handler runs.
type answer struct {
	route   *fuzzRoute // nil: no handler runs
	version int        // -1: none
}

// judge judges what came of a request.
func (s *fuzzService) judge(r *fuzzRequest, got *response) error {
	var wrong complaints
	// Servers refuse methods and protocols that they do not know with 501 and 505, which is for
	// them to decide.
	allowed := got.status < 500 || got.status == http.StatusNotImplemented && r.hostile ||
		got.status == http.StatusHTTPVersionNotSupported && r.hostile
	wrong.unless(allowed, "the status is %d", got.status)
	wrong.unless(got.header.Get(seenReason) == "", "%s", got.header.Get(seenReason))
	ran, version := s.seen(got, &wrong)
	if ran != nil {
		if s.other && ran.versioned() {
			version = s.behindOther(r, ran, got.header.Get(seenHandler))
		}
		wrong.unless(ran.Outside || len(got.header[ranField]) == 2,
			"the middleware that ran is %q instead of one before the check and one after it", got.header[ranField])
		s.judgeVersion(r, ran, version, got.header.Get(seenHandler), &wrong)
	}
	if !r.hostile && wrong == nil {
		// A HEAD request without a route of its own is answered by GET in some frameworks (RFC
		// 9110, section 9.3.2).
		if s.isServedByGet(r, ran) {
			get := *r
			get.route = ran
			r = &get
		}
		want := s.wanted(r)
		if ran == nil && r.route.twin != nil && r.route.twin.Outside {
			return nil // a middleware does not know the options of such a route, and rejects more
		}
		wrong.unless(want.route == ran, "%s runs instead of %s", ran.handlerName(), want.route.handlerName())
		wrong.unless(ran == nil || want.version == version, "the handler sees version %d instead of %d", version,
			want.version)
	}
	return wrong.join()
}

// isServedByGet reports whether a route for GET has run for a HEAD request, whose own route
// has no path in this version.
func (s *fuzzService) isServedByGet(r *fuzzRequest, ran *fuzzRoute) bool {
	return ran != nil && (ran == r.route.twin || ran.twin == r.route) && ran.Method == http.MethodGet &&
		r.method == http.MethodHead && s.lacksPath(r)
}

// handlerName returns how a failure names the handler of a route.
func (r *fuzzRoute) handlerName() string {
	if r == nil {
		return "no handler"
	}
	return "r" + strconv.Itoa(r.index)
}

// seen returns the route whose handler has answered, and the index of the version that it saw,
// or -1. Behind the middleware of another API handlers see versions of that one, so the version
// is unknown.
func (s *fuzzService) seen(got *response, wrong *complaints) (ran *fuzzRoute, version int) {
	name, _, _ := strings.Cut(strings.TrimPrefix(got.header.Get(seenHandler), "r"), " ")
	index, err := strconv.Atoi(name)
	if err != nil {
		return nil, -1
	}
	version = -1
	if text, err := strconv.Unquote(got.header.Get(seenVersion)); err == nil && !s.other {
		version = s.index(text)
		wrong.unless(version >= 0, "the handler sees version %q, which is not served", text)
	}
	return s.routes[index], version
}

// behindOther returns a version that a handler may run in, or -1, where it sees that of another
// API: the one that the model wants if that is one. Only the name of the handler is left then,
// and it may be for several versions.
func (s *fuzzService) behindOther(r *fuzzRequest, ran *fuzzRoute, handler string) int {
	runs := func(version int) bool {
		from := -1
		if version >= 0 {
			from = ran.from(version)
		}
		return strings.HasSuffix(handler, fmt.Sprintf(" from %d", from))
	}
	if want := s.wanted(r); !r.hostile && want.route == ran && runs(want.version) {
		return want.version
	}
	for version := range s.versions {
		if runs(version) && s.answersIn(ran, version, r.mayBeKept()) {
			return version
		}
	}
	return -1
}

// index is -1 for a text that names no version of the service.
func (s *fuzzService) index(text string) int {
	return slices.IndexFunc(s.versions, func(v life) bool { return v.name == text })
}

// judgeVersion judges whether a handler may run in a version, whatever the request was. This
// holds for hostile requests as well, and is the promise of the library: however a request was
// damaged, no code runs for a version that it is not for.
func (s *fuzzService) judgeVersion(r *fuzzRequest, ran *fuzzRoute, version int, handler string, wrong *complaints) {
	if !ran.versioned() {
		wrong.unless(version < 0, "a route without versions has one")
		return
	}
	_, from, _ := strings.Cut(handler, " from ")
	if version < 0 {
		// A preflight has no version in browsers, which send it without the fields of the request.
		optional := ran.Method == "" && ran.Options == nil || ran.Method == http.MethodOptions && ran.choices == nil
		wrong.unless(s.mayBeUnversioned() || optional && r.canBePreflight(), "the handler runs without a version")
		wrong.unless(from == "-1", "the handler of a version runs without one")
		return
	}
	wrong.unless(s.answersIn(ran, version, r.mayBeKept()), "the handler runs in version %q", s.versions[version].name)
	if registered := s.index(ran.version); registered >= 0 &&
		(s.kinds[0] == "path_prefix" || s.kinds[0] == "namespace") {
		v := &s.versions[registered]
		wrong.unless(registered == version || v.ended() && version == s.forward(registered, v.after),
			"the handler of version %q runs in another", ran.version)
	}
	wrong.unless(from == strconv.Itoa(ran.from(version)), "the handler from version %s on runs in %d", from, version)
}

// mayBeUnversioned reports whether requests without a version are let through.
func (s *fuzzService) mayBeUnversioned() bool {
	return s.unversioned || s.byDefault < 0 && !s.strict && s.isNowhere()
}

// isNowhere reports whether the only source has a place that a request may lack. A request
// without such a place is not undecided, it is about something else: a host without versions, a
// path outside the prefix.
func (s *fuzzService) isNowhere() bool {
	return len(s.kinds) == 1 && slices.Contains([]string{"host", "namespace", "path_prefix"}, s.kinds[0])
}

// from returns the version from which on the handler for a version is, -1 for the only handler,
// -2 where the version does not have the route. A version has the newest handler up to it.
func (r *fuzzRoute) from(version int) int {
	if version < r.since || version >= r.removed {
		return -2
	}
	if r.choices == nil {
		return -1
	}
	from := -2
	for _, choice := range r.choices {
		if choice.from <= version {
			if from = choice.from; choice.removed {
				from = -2
			}
		}
	}
	return from
}

// The sunset itself is the first moment without the version, hence the equality.
func (v *life) ended() bool { return v.sunset <= 0 && v.after != catalogue.Serve }

// answersIn reports whether a route answers in a version.
func (s *fuzzService) answersIn(r *fuzzRoute, version int, kept bool) bool {
	v := &s.versions[version]
	return v.released <= 0 && r.from(version) != -2 && (kept || !v.ended() && !v.brownout && !s.isGone(r))
}

// Without a catalogue a route's own date is only announced.
func (s *fuzzService) isGone(r *fuzzRoute) bool {
	return r.sunset <= 0 && s.after != catalogue.Serve && !s.plain
}

// wanted returns what the model predicts for a request that is not
// hostile.
func (s *fuzzService) wanted(r *fuzzRequest) answer {
	if r.preflight && r.method == http.MethodOptions && r.route.versioned() {
		return s.preflight(r)
	}
	return s.answer(r)
}

// answer returns what the model predicts for a request that is neither hostile nor a
// preflight.
func (s *fuzzService) answer(r *fuzzRequest) answer {
	// The order is as documented: route, host, version, dates, default.
	none, rejected := answer{r.route, -1}, answer{nil, -1}
	if s.lacksPath(r) {
		return rejected
	}
	if !r.route.versioned() {
		return none
	}
	if s.hosts && r.otherHost {
		return rejected
	}
	text, decidedBy, contradicts := s.decides(r)
	version := s.index(text)
	// What a request names counts even if it is wrong: there is no fallback to the default.
	if decidedBy != "" {
		if contradicts || version < 0 || s.versions[version].released > 0 {
			return rejected
		}
		if v := &s.versions[version]; v.ended() && !r.kept {
			version = s.forward(version, v.after)
		}
	} else if s.strict && s.isNowhere() {
		return rejected
	} else if version = s.unnamed(r.kept); version == -1 {
		// The route is not asked which versions have it.
		if !s.mayBeUnversioned() || r.route.choices != nil && !s.unversioned || s.isGone(r.route) && !r.kept {
			return rejected
		}
		return none
	}
	if version < 0 || !s.answersIn(r.route, version, r.kept) {
		return rejected
	}
	return answer{r.route, version}
}

// versioned reports whether requests to the route have a version.
func (r *fuzzRoute) versioned() bool { return !r.Outside && !r.neutral }

// preflight returns what the model predicts for a CORS preflight that is not hostile. A version
// in its path or query is checked. Without any it is let through, since it cannot carry a
// header.
func (s *fuzzService) preflight(r *fuzzRequest) answer {
	none, hasOptions := answer{r.route, -1}, r.route.Options != nil || r.route.choices != nil
	if r.route.Method == http.MethodOptions && !hasOptions && !s.lacksPath(r) {
		return none // which is not checked
	}
	want := s.answer(r)
	_, named, _ := s.decides(r)
	if want.route != nil || named != "" || s.hosts && r.otherHost || hasOptions || s.lacksPath(r) {
		return want
	}
	return none
}

// lacksPath reports whether the path of a request is that of no route: a prefix leaves
// out the versions before a route, unless they fall forward or the default moves.
func (s *fuzzService) lacksPath(r *fuzzRequest) bool {
	if !r.route.EachVersion {
		return false
	}
	version, first := s.byDefault, r.route.since
	text, prefixed := r.texts["path_prefix"]
	if prefixed {
		version = s.index(text)
	}
	overruled := len(s.kinds) > 1 && (!prefixed || !s.agree && s.kinds[0] != "path_prefix")
	if r.route.choices != nil {
		first = r.route.choices[0].from
	}
	falls := version >= 0 && !s.plain && s.versions[version].after == catalogue.FallForward
	return version < 0 || version < first && !falls && !overruled && s.defaultEnds != verso.MoveUnversioned
}

// decides returns the text that a request asks for, and the kind of the source that
// reads it.
func (s *fuzzService) decides(r *fuzzRequest) (text, kind string, contradicts bool) {
	for _, k := range s.kinds {
		asked, ok := r.texts[k]
		switch {
		case !ok:
		case kind == "":
			text, kind = asked, k
		// First stops at the first source that reads something, so it never sees a contradiction.
		case s.agree && asked != text:
			contradicts = true
		}
	}
	return text, kind, contradicts
}

// forward returns the version that answers for one that has ended, or -2. A preview is skipped,
// since it may still change.
func (s *fuzzService) forward(version int, after catalogue.Action) int {
	for i, v := range s.versions[version+1:] {
		if after == catalogue.FallForward && v.released <= 0 && v.sunset > 0 && !v.preview {
			return version + 1 + i
		}
	}
	return -2
}

// unnamed returns the version of a request that names none: -1 if it has none, -2 if it
// is rejected.
func (s *fuzzService) unnamed(kept bool) int {
	if s.byDefault < 0 {
		return -1
	}
	v := &s.versions[s.byDefault]
	switch {
	case v.released > 0:
		return -2
	case !v.ended() || kept:
		return s.byDefault
	case s.defaultEnds == verso.RejectUnversioned:
		return -2
	case s.defaultEnds == verso.MoveUnversioned:
		for i, next := range s.versions[s.byDefault+1:] {
			if next.released <= 0 && !next.ended() && !next.preview {
				return s.byDefault + 1 + i
			}
		}
	}
	return s.forward(s.byDefault, v.after)
}

// describe returns a failure with all that a test needs. It prints a request as Go code that
// can be pasted into a test.
func (s *fuzzService) describe(err error, r *fuzzRequest, got *response) error {
	raw := strconv.QuoteToASCII(string(r.raw))
	for _, long := range []string{"a", "b", "v", "a/"} { // as a Go expression
		raw = regexp.MustCompile(`(`+long+`){200,}`).ReplaceAllStringFunc(raw, func(run string) string {
			return fmt.Sprintf(`" + strings.Repeat(%q, %d) + "`, long, len(run)/len(long))
		})
	}
	return fmt.Errorf("%w\nrequest: %s\ngot: %v\n%s", err, raw, got, s)
}
