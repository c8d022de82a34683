package model

import (
	"errors"
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
	route   *Route // nil: no handler runs
	version int    // -1: none
}

// Seen is the outcome of a request: the status, and the report of the handler, empty if none ran.
type Seen struct {
	Status  int
	Handler string   // see [Route.Handler]
	Version string   // quoted, or "none"
	Wrong   string   // about its link
	Ran     []string // the middleware that ran
}

// Handler names a handler of the route: from a version on, or [Only].
func (r *Route) Handler(from int) string { return fmt.Sprintf("%v from %d", r, from) }

// String returns the name of the route for failures, "no route" for nil.
func (r *Route) String() string {
	if r == nil {
		return "no route"
	}
	return "r" + strconv.Itoa(r.index)
}

// Judge judges what came of a request.
func (s *Service) Judge(r *Request, got Seen) error {
	// Servers refuse methods and protocols that they do not know with 501 and 505, which is for
	// them to decide.
	refused := r.Hostile && (got.Status == http.StatusNotImplemented || got.Status == http.StatusHTTPVersionNotSupported)
	if got.Status >= 500 && !refused {
		return fmt.Errorf("the status is %d", got.Status)
	}
	if got.Wrong != "" {
		return errors.New(got.Wrong)
	}
	ran, version, err := s.ran(got)
	if err != nil {
		return err
	}
	if ran != nil {
		if s.Other && ran.versioned() {
			version = s.behindOther(r, ran, got.Handler)
		}
		if !ran.Outside && len(got.Ran) != 2 {
			return fmt.Errorf("the middleware that ran is %q instead of one before the check and one after it", got.Ran)
		}
		if err := s.judgeVersion(r, ran, version, got.Handler); err != nil {
			return err
		}
	}
	if r.Hostile {
		return nil
	}
	return s.judgeAnswer(r, answer{ran, version})
}

// judgeAnswer judges the answer to a request that means one thing.
func (s *Service) judgeAnswer(r *Request, got answer) error {
	// A HEAD request without a route of its own is answered by GET in some frameworks (RFC
	// 9110, section 9.3.2).
	if s.isServedByGet(r, got.route) {
		get := *r
		get.route = got.route
		r = &get
	}
	want := s.wanted(r)
	if got.route == nil && r.route.twin != nil && r.route.twin.Outside {
		return nil // a middleware does not know the options of such a route, and rejects more
	}
	if want.route != got.route {
		return fmt.Errorf("%v has answered instead of %v", got.route, want.route)
	}
	if got.route != nil && want.version != got.version {
		return fmt.Errorf("the handler sees version %d instead of %d", got.version, want.version)
	}
	return nil
}

// isServedByGet reports whether a route for GET has run for a HEAD request, whose own route
// has no path in this version.
func (s *Service) isServedByGet(r *Request, ran *Route) bool {
	return ran != nil && (ran == r.route.twin || ran.twin == r.route) && ran.Method == http.MethodGet &&
		r.Method == http.MethodHead && s.lacksPath(r)
}

// ran returns the route whose handler has answered, and the index of the version that it saw,
// or -1. Behind the middleware of another API handlers see versions of that one, so the version
// is unknown.
func (s *Service) ran(got Seen) (ran *Route, version int, err error) {
	name, _, _ := strings.Cut(strings.TrimPrefix(got.Handler, "r"), " ")
	index, err := strconv.Atoi(name)
	if err != nil {
		return nil, -1, nil //nolint:nilerr // no handler has run
	}
	version = -1
	if text, err := strconv.Unquote(got.Version); err == nil && !s.Other {
		if version = s.index(text); version < 0 {
			return nil, -1, fmt.Errorf("the handler sees version %q, which is not served", text)
		}
	}
	return s.Routes[index], version, nil
}

// behindOther returns a version in which a handler may run, or -1, where the handler sees a version
// of another API: the wanted version if it may run there. Only the name of the handler is left then,
// and it may be for several versions.
func (s *Service) behindOther(r *Request, ran *Route, handler string) int {
	runs := func(version int) bool {
		from := -1
		if version >= 0 {
			from = ran.from(version)
		}
		return strings.HasSuffix(handler, fmt.Sprintf(" from %d", from))
	}
	if want := s.wanted(r); !r.Hostile && want.route == ran && runs(want.version) {
		return want.version
	}
	for version := range s.versions {
		if runs(version) && s.answersIn(ran, version, r.mayBeKept()) {
			return version
		}
	}
	return -1
}

// judgeVersion judges whether a handler may run in a version, whatever the request was. This
// holds for hostile requests as well, and is the promise of the library: however a request was
// damaged, no code runs for a version that it is not for.
func (s *Service) judgeVersion(r *Request, ran *Route, version int, handler string) error {
	_, from, _ := strings.Cut(handler, " from ")
	// A preflight has no version in browsers, which send it without the fields of the request.
	optional := ran.Method == "" && ran.Options == nil || ran.Method == http.MethodOptions && ran.choices == nil
	switch {
	case !ran.versioned() && version >= 0:
		return errors.New("a route without versions has one")
	case !ran.versioned():
		return nil
	case version < 0 && !s.mayBeUnversioned() && (!optional || !r.canBePreflight()):
		return errors.New("the handler runs without a version")
	case version < 0 && from != strconv.Itoa(Only):
		return errors.New("the handler of a version runs without one")
	case version < 0:
		return nil
	case !s.answersIn(ran, version, r.mayBeKept()):
		return fmt.Errorf("the handler runs in version %q", s.versions[version].name)
	case from != strconv.Itoa(ran.from(version)):
		return fmt.Errorf("the handler from version %s on runs in %d", from, version)
	}
	if registered := s.index(ran.version); registered >= 0 && registered != version &&
		(s.kinds[0] == "path_prefix" || s.kinds[0] == "namespace") {
		if v := &s.versions[registered]; !v.ended() || version != s.forward(registered, v.after) {
			return fmt.Errorf("the handler of version %q runs in another", ran.version)
		}
	}
	return nil
}

// mayBeUnversioned reports whether requests without a version are let through.
func (s *Service) mayBeUnversioned() bool {
	return s.unversioned || s.byDefault < 0 && !s.Strict && s.isNowhere()
}

// isNowhere reports whether the only source has a place that a request may lack. A request
// without such a place is not undecided, it is about something else: a host without versions, a
// path outside the prefix.
func (s *Service) isNowhere() bool {
	return len(s.kinds) == 1 && slices.Contains([]string{"host", "namespace", "path_prefix"}, s.kinds[0])
}

// The sunset itself is the first moment without the version, hence the equality.
func (v *life) ended() bool { return v.sunset <= 0 && v.after != catalogue.Serve }

// answersIn reports whether a route answers in a version.
func (s *Service) answersIn(r *Route, version int, kept bool) bool {
	v := &s.versions[version]
	return v.released <= 0 && r.from(version) != Removed && (kept || !v.ended() && !v.brownout && !s.isGone(r))
}

// Without a catalogue a route's own date is only announced.
func (s *Service) isGone(r *Route) bool {
	return r.sunset <= 0 && s.after != catalogue.Serve && !s.plain
}

// wanted returns the prediction for a request, unless it is hostile.
func (s *Service) wanted(r *Request) answer {
	if r.preflight && r.Method == http.MethodOptions && r.route.versioned() {
		return s.preflight(r)
	}
	return s.answer(r)
}

// answer returns the prediction for a request, unless it is hostile or a preflight.
func (s *Service) answer(r *Request) answer {
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
	} else if s.Strict && s.isNowhere() {
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
func (r *Route) versioned() bool { return !r.Outside && !r.neutral }

// preflight returns the prediction for a CORS preflight, unless it is hostile. A version
// in its path or query is checked. Without any it is let through, since it cannot carry a
// header.
func (s *Service) preflight(r *Request) answer {
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

// lacksPath reports whether no route has the path of a request: a prefix leaves out the versions
// before a route, unless they fall forward or the default moves.
func (s *Service) lacksPath(r *Request) bool {
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
func (s *Service) decides(r *Request) (text, kind string, contradicts bool) {
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

// forward returns the version in the place of an ended one, or -2. A preview is skipped, since it
// may still change.
func (s *Service) forward(version int, after catalogue.Action) int {
	for i, v := range s.versions[version+1:] {
		if after == catalogue.FallForward && v.released <= 0 && v.sunset > 0 && !v.preview {
			return version + 1 + i
		}
	}
	return -2
}

// unnamed returns the version of a request that names none: -1 if it has none, -2 if it
// is rejected.
func (s *Service) unnamed(kept bool) int {
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

// Describe returns a failure with all that a test needs. It prints what was sent as Go code that
// can be pasted into a test.
func (s *Service) Describe(err error, sent []byte, got any) error {
	raw := strconv.QuoteToASCII(string(sent))
	for _, long := range []string{"a", "b", "v", "a/"} { // as a Go expression
		raw = regexp.MustCompile(`(`+long+`){200,}`).ReplaceAllStringFunc(raw, func(run string) string {
			return fmt.Sprintf(`" + strings.Repeat(%q, %d) + "`, long, len(run)/len(long))
		})
	}
	return fmt.Errorf("%w\nrequest: %s\ngot: %v\n%s", err, raw, got, s)
}
