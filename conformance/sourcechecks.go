package conformance

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// This file has the checks of Source, in the order of its comment. Each changes a right
// request in one thing, and returns an error if the source takes it for something else.

// reads returns an error unless a request is read as a request for a version.
func (s *sourceSuite) reads(r *sourceRequest, version string) error {
	got, rejection, _, err := read(s.api, r)
	if err == nil && got != verso.V(version) {
		err = fmt.Errorf("a request for version %q is read as %#v%s\nrequest: %s", version, got, rejection, r)
	}
	return err
}

// links checks that a written version is read, and checks the links in such requests. A link
// that its own source does not read back sends a client to another version, or to a 404, on the
// second page of a list.
func (s *sourceSuite) links() error {
	for i, version := range s.Versions {
		r := s.with[i]
		if err := s.reads(r, version); err != nil {
			return fmt.Errorf("%w\nif Write cannot write it, set SourceOptions.Request", err)
		}
		if s.Request != nil {
			continue
		}
		result := decide(s.api, r.verso()).result
		// Links to the version of the request come first, then those to each version, its own
		// included: a migration guide has them.
		for j, to := range append([]string{version}, s.Versions...) {
			of, next := r, target("")
			if j > 0 {
				of, next = s.with[j-1], target(to)
			}
			link, err := adapter.LinkFor(result, r.verso(), next)
			if err == nil {
				err = s.reads(s.visit(link, of.http.Header), to)
			}
			if err != nil {
				return fmt.Errorf("a link from version %q to %q: %w", version, to, err)
			}
		}
	}
	return nil
}

// place checks that the source, and each of its parts, is described to be where it writes.
// Place decides where a successor link can lead, and what an OpenAPI document describes. No
// other check finds a wrong one.
func (s *sourceSuite) place() error {
	for _, from := range append(s.source.Describe().Parts, s.source) {
		for _, version := range s.Versions {
			written, err := from.Write(source.Written{}, verso.V(version))
			if err != nil {
				return fmt.Errorf("writing version %q: %w", version, err)
			}
			described := from.Describe()
			if places := placesOf(&written, s.Host); !slices.Contains(places, described.Place) {
				return fmt.Errorf("the %s writes version %q %s, but Description.Place is %d, %s",
					described.Name, version, placeNames[places[0]], described.Place, placeNames[described.Place])
			}
		}
	}
	return nil
}

var placeNames = map[source.Place]string{
	source.NotInURL: "not into the URL", source.InPath: "into the path", source.InHost: "into the host",
	source.InQuery: "into the query",
}

// placesOf returns where a source has written the version, at least NotInURL.
func placesOf(w *source.Written, host string) (places []source.Place) {
	param, _ := w.Param()
	if path, err := w.Path("/"); param != "" || w.Name("") != "" || path != "/" || err != nil {
		places = append(places, source.InPath)
	}
	// A place that cannot be written for this host is still the place.
	if moved, err := w.Host(host); moved != "" || err != nil {
		places = append(places, source.InHost)
	}
	if name, _ := w.Query(); name != "" {
		places = append(places, source.InQuery)
	}
	if places == nil {
		places = []source.Place{source.NotInURL}
	}
	return places
}

// rejects checks that a version not served is rejected. Only the last version is
// served, and the requests ask for the rest: a source that drops what it cannot find would let
// them through in the default version. What is before all versions is near none.
func (s *sourceSuite) rejects() error {
	last := len(s.Versions) - 1
	api, err := s.binding(s.Versions[last])
	if err != nil {
		return err
	}
	for _, r := range s.with[:last] {
		version, rejection, _, err := read(api, r)
		if s.inPattern && version.IsNone() && err == nil {
			continue // a segment that is not a version is part of the path
		}
		if err != nil || rejection == "" {
			return fmt.Errorf("the request is answered in version %#v, which it does not ask for; error %w\nrequest: %s", version, err, r)
		}
	}
	return nil
}

// otherHeaders are headers that a source might read. They are the usual suspects: what
// libraries of other languages read, and what a proxy sets.
var otherHeaders = []string{
	"Accept", "Accept-Language", "Accept-Version", "Api-Version", "Authorization", "Cookie", "Origin", "Referer",
	"User-Agent", "Version",
	"X-Api-Version", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Version",
}

// vary checks that the source reads exactly the headers that it names.
func (s *sourceSuite) vary() error {
	var wrong complaints
	asked := make(map[string]bool)
	for _, r := range append(s.with, s.without) {
		before, rejection, vary, err := read(s.api, r)
		if err != nil {
			return err
		}
		// A header may be read without a version in it, and Vary must name it all the same:
		// another request has it.
		for name := range r.asked {
			asked[name] = true
			if name == contextAsked {
				continue
			}
			wrong.unless(slices.Contains(strings.Split(strings.Join(vary, ", "), ", "), name),
				"Read reads the header %s, which Vary does not name\nrequest: %s", name, r)
		}
		// Reading through another way than Request.Header, such as the http.Request itself, shows
		// only in the result.
		for _, name := range otherHeaders {
			changed := r.changed(func(r *sourceRequest) { r.http.Header.Set(name, s.Versions[1]) })
			after, otherwise, _, err := read(s.api, changed)
			wrong.unless(slices.Contains(s.headers, name) || err == nil && after == before && otherwise == rejection,
				"the header %s changes what is read from %#v to %#v, but Headers does not name it", name, before, after)
		}
	}
	// A name too many in Vary costs hits in every cache.
	for _, name := range s.headers {
		// What a middleware has put into the context comes from a header that Read does not read:
		// the claims of a token from Authorization.
		wrong.unless((asked[name] || asked[contextAsked]) && name == http.CanonicalHeaderKey(name),
			"Headers names %s, which Read never reads or which is not in canonical form", name)
	}
	return wrong.join()
}

// otherCookies are cookies as browsers send them. A strict parser refuses some of them.
var otherCookies = []string{"theme=dark", "empty=", "flag", "name=José", `prefs={"a":1,"b":2}`}

// cookies checks the cookies beside the version's. A browser sends all cookies of a
// domain, and other code sets most of them.
func (s *sourceSuite) cookies() error {
	for i, version := range s.Versions {
		own := joined("Cookie", s.with[i].http.Header["Cookie"])
		if own == "" {
			continue
		}
		fields := [][]string{{own + ";"}}
		for _, other := range append(slices.Clip(otherCookies), "my"+strings.Split(own, "=")[0]+"=dark") {
			fields = append(fields, []string{other + "; " + own}, []string{own + "; " + other}, []string{other, own},
				[]string{own, other})
		}
		for _, lines := range fields {
			r := s.with[i].changed(func(r *sourceRequest) { r.http.Header["Cookie"] = lines })
			if err := s.reads(r, version); err != nil {
				return err
			}
		}
	}
	return nil
}

// places returns requests with a value in place of the version wherever the request has it, and
// in every other place that may have a version. The whole text and a part of it are replaced: a
// source may cut the version out before it looks at it.
func (s *sourceSuite) places(r *sourceRequest, version, value string) []*sourceRequest {
	var places []*sourceRequest
	if !s.inPattern { // otherwise a route without a pattern is a programming error
		places = append(places, r.changed(func(r *sourceRequest) { r.route, r.http.Pattern = nil, "" }))
	}
	for _, replace := range []func(string) string{
		func(text string) string { return strings.ReplaceAll(text, version, value) },
		func(string) string { return value },
	} {
		changes := []func(*sourceRequest){
			func(r *sourceRequest) { r.http.Host = replace(r.http.Host) },
			func(r *sourceRequest) { r.http.URL.RawQuery = replace(r.http.URL.RawQuery) },
			func(r *sourceRequest) { r.http.URL.RawQuery = url.QueryEscape(replace(r.http.URL.RawQuery)) },
			func(r *sourceRequest) {
				r.route = &route.Route{Name: replace(s.Versions[0] + ":target"), Pattern: r.route.Pattern}
			},
			func(r *sourceRequest) {
				for _, part := range strings.Split(r.http.Pattern, "{")[1:] {
					name, _, _ := strings.Cut(part, "}")
					r.http.SetPathValue(name, replace(r.http.PathValue(name)))
				}
			},
		}
		for _, name := range s.headers {
			changes = append(changes,
				func(r *sourceRequest) { r.http.Header[name] = []string{replace(r.http.Header.Get(name))} },
				func(r *sourceRequest) {
					r.http.Header[name] = slices.Repeat([]string{replace(r.http.Header.Get(name))}, 10)
				})
		}
		for _, change := range changes {
			places = append(places, r.changed(change))
		}
	}
	return places
}

// They have what breaks a parser (separators, quotes, half an escape), a header (line breaks),
// a log (control and direction characters), a page (markup) or a bound (length). Each contains
// "evil", which no answer may repeat.
var hostileValues = []string{
	"", " ", ",", ";", "=", "&", "evil", "evil\r\nX-Evil: 1", "evil\x00", "evil\xff\xfe", "\u202eevil", "<evil>", "%zz",
	`"`, `\`,
	"v1,evil", "evil;v1", ":evil", strings.Repeat("evil", 1<<10), strings.Repeat("evil,", 1<<10),
}

// hostile checks hostile requests. With reflected text, an error message becomes an attack on
// its reader.
func (s *sourceSuite) hostile() error {
	for i, version := range s.Versions {
		for _, value := range hostileValues {
			for _, r := range s.places(s.with[i], version, value) {
				got, rejection, _, err := read(s.api, r)
				if err != nil || strings.Contains(rejection+got.String(), "evil") {
					return fmt.Errorf("a hostile request results in version %#v, rejection %.300q, error %w\nrequest: %s", got, rejection, err, r)
				}
			}
		}
	}
	return nil
}

// What a large request may cost: a source with quadratic cost is far beyond it.
const (
	largeBytes = 64 << 10
	// The time is generous, since machines of CI are busy; a quadratic scan of 64 KiB takes longer
	// still.
	maxLarge       = 2 * time.Second
	maxAllocations = 100 * largeBytes
)

// bounded checks large requests.
func (s *sourceSuite) bounded() error {
	for _, piece := range []string{"v", ",", ";", "&", "v,", "a=b&", "v1,v2;", "=", "%41", `"`, "(", "."} {
		// Each piece is a separator of some grammar, repeated, for which a careless parser starts
		// again.
		for _, r := range s.places(s.with[0], s.Versions[0], strings.Repeat(piece, largeBytes/len(piece))) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			_, _, _, err := read(s.api, r)
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			// A busy machine does not stop the same request twice more.
			for tries := 0; took > maxLarge && tries < 2; tries++ {
				began = time.Now()
				_, _, _, err = read(s.api, r)
				took = time.Since(began)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; err != nil || took > maxLarge ||
				allocated > maxAllocations {
				return fmt.Errorf("a request with %d KiB of %q takes %v and %d KiB of memory, error %w", largeBytes>>10,
					piece, took, allocated>>10, err)
			}
		}
	}
	return nil
}

// wrapper is a source that embeds another, for example to log. Core knows its own sources and
// takes short cuts for them. Through a wrapper it cannot, and the answer must be the same.
type wrapper struct{ source.Source }

// wrapping checks that an embedded source behaves the same.
func (s *sourceSuite) wrapping() error {
	for _, strict := range []verso.Strictness{{}, verso.Strict()} {
		// Versions that a place cannot carry must be refused when the service is built, also by a
		// wrapped source.
		for _, texts := range [][]string{s.Versions, {"v 1"}, {"v/1"}, {"v:1", "é"}} {
			config := s.config(texts)
			config.Strict = strict
			plain, err := verso.New(s.source, config)
			wrapped, wrappedErr := verso.New(wrapper{s.source}, config)
			if fmt.Sprint(err) != fmt.Sprint(wrappedErr) {
				return fmt.Errorf("with the versions %q, the error is %w; embedded, it is %w", texts, err, wrappedErr)
			}
			for _, r := range append(s.places(s.with[0], s.Versions[0], s.Versions[0]+","+s.Versions[1]), s.with...) {
				router := sourceRouter(s.routes)
				if err == nil && fmt.Sprint(read(newDecider(adapter.Bind(plain, router)),
					r)) != fmt.Sprint(read(newDecider(adapter.Bind(wrapped, router)), r)) {
					return fmt.Errorf("embedded, the source reads another version\nrequest: %s", r)
				}
			}
		}
	}
	return nil
}

// concurrent reads and writes all versions concurrently. A source is shared by all requests.
// One that keeps state between two calls shows it here, and in a race.
func (s *sourceSuite) concurrent() error {
	return concurrently(func(client, _ int) error {
		version := s.Versions[client%len(s.Versions)]
		r, err := s.written(version)
		if err != nil {
			return err
		}
		return s.reads(r, version)
	})
}
