package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// link is a link that a case asks for. Numbers are integers. Its members have the names of the
// specification's cases, which come from a framework of another language.
type link struct {
	Name    string         `json:"viewname"`
	Args    []any          `json:"args"`
	Params  map[string]any `json:"kwargs"`
	Format  string         `json:"format"`
	Version verso.Version  `json:"target_version"` // the version of the target, if set
}

// target returns the target of the link. A value "{name}" is replaced by the path parameter of
// the request. A link to the resource of the request itself is the most common one, and its
// parameters are known only there.
func (l *link) target(call Call) verso.Target {
	value := func(value any) any {
		switch v := value.(type) {
		case json.Number:
			// Parameters of links may be ints, and floats must be refused, so the number keeps its
			// kind.
			n, err := strconv.Atoi(v.String())
			if err != nil {
				number, _ := v.Float64()
				return number
			}
			return n
		case string:
			if call.Param != nil && strings.HasPrefix(v, "{") {
				return call.Param(strings.Trim(v, "{}"))
			}
		}
		return value
	}
	t := verso.Target{Name: l.Name, Args: slices.Clone(l.Args), Params: maps.Clone(l.Params), Format: l.Format,
		Version: l.Version}
	for i := range t.Args {
		t.Args[i] = value(t.Args[i])
	}
	for name := range t.Params {
		t.Params[name] = value(t.Params[name])
	}
	return t
}

// linkErrors are the errors of links by their names in cases. Programs act upon these errors,
// so cases name the error and not its text.
var linkErrors = map[string]error{
	"no-reverse-match": verso.ErrNoReverseMatch,
	"args-and-kwargs":  verso.ErrMixedParams,
	"unknown-version":  verso.ErrUnknownVersion,
	"not-in-version":   verso.ErrNotInVersion,
}

// errorName compares with errors.Is, as a program would.
func errorName(err error) string {
	for name, known := range linkErrors {
		if errors.Is(err, known) {
			return name
		}
	}
	return "another"
}

// linkCase is a case of the operations reverse and reverse_call: a link in a request whose
// version is already determined. The version is given, so that only the link can fail.
type linkCase struct {
	link
	Entry        string `json:"entry"`         // "scheme" or "wrapper"
	AttachScheme *bool  `json:"attach_scheme"` // false: the request carries no scheme
	Request      *struct {
		request
		Version verso.Version `json:"version"`
	} `json:"request"`
	Routes string `json:"routes"` // the name of a table of routes.json
	Want   struct {
		URL   string `json:"url"`
		Error string `json:"error"`
	} `json:"want"`
}

// checkLink builds the link of the case in a handler of an extra route, in addition to the
// routes of the case's table. Cases without a request, or without a scheme attached, cannot
// happen behind an adapter and are run by core's own tests.
func checkLink(tb testing.TB, mount Mount, c *Case) error {
	tb.Helper()
	var l linkCase
	if err := c.Decode(&l); err != nil {
		return err
	}
	if l.Request == nil || l.Entry != "wrapper" || l.AttachScheme != nil && !*l.AttachScheme {
		return errors.New("a case of level http needs a request, entry wrapper and an attached scheme")
	}
	api, err := c.determined(l.Request.Version)
	if err != nil {
		return err
	}
	r := requestCase{Request: l.Request.request, Link: &l.link, Routes: l.Routes}
	r.Route.Name = "conformance-here"
	r.Route.Pattern, _, _ = strings.Cut(l.Request.Target, "?")
	r.Want.Version = wantVersion{l.Request.Version, true}
	r.Want.URL, r.Want.Error = l.Want.URL, l.Want.Error
	if err := r.run(tb, mount, c, api); err != nil {
		return fmt.Errorf("%w\nlink: %+v", err, l.link)
	}
	return nil
}

// determined returns the versioning of the case, in which all requests have the given version.
// The default is left out, since the version of a request may be none although there is a
// default.
func (c *Case) determined(version verso.Version) (*verso.Versioning, error) {
	from, err := c.service.source(c.Scheme)
	config, configErr := c.service.config()
	if err = errors.Join(err, configErr); err != nil {
		return nil, err
	}
	for _, served := range []verso.Version{config.DefaultVersion, version} {
		if len(config.AllowedVersions) > 0 && !served.IsNone() &&
			!slices.Contains(config.AllowedVersions, served.String()) {
			config.AllowedVersions = append(config.AllowedVersions, served.String())
		}
	}
	config.DefaultVersion = verso.Version{}
	reading := source.Reading{Outcome: source.NoPlace}
	if !version.IsNone() {
		reading = source.Reading{Outcome: source.Found, Text: version.String()}
	}
	return verso.New(fixed{from, reading}, config)
}

// fixed is a source whose readings are always the same. It still writes versions as the source
// of the case does.
type fixed struct {
	source.Source
	reading source.Reading
}

// Read ignores the request, which may not have a version at all.
func (f fixed) Read(source.Request, *source.ServedVersions) source.Reading { return f.reading }

// table returns the routes of a table that all frameworks can express. The name "" means no
// routes. Patterns beyond that, such as regular expressions, are tested in core.
func (c *Case) table(name string) (routes []Route, err error) {
	table, ok := c.tables[name]
	if !ok && name != "" {
		return nil, fmt.Errorf("routes.json has no table %q", name)
	}
	for _, r := range table {
		if expressible.MatchString(r.Pattern) {
			routes = append(routes, newRoute(r.Namespace, r.Name, r.Pattern, func(Call) Response { return Response{} }))
		}
	}
	return routes, nil
}

// expressible matches the patterns that all frameworks can express: each
// parameter takes a whole segment or, as the last one, the rest of the path.
var expressible = regexp.MustCompile(`^(/(\{\w+\}|[^{}/]*))*(/\{\w+\*\})?$`)
