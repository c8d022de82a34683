package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// TableRoute is a route of a table in routes.json.
type TableRoute struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"` // "" or null: none
	Pattern   string `json:"pattern"`
}

// reverseCase is a case of the operations reverse and reverse_call.
type reverseCase struct {
	Entry        string         `json:"entry"`         // "scheme" or "wrapper"
	AttachScheme *bool          `json:"attach_scheme"` // false: the request carries no scheme
	Request      *request       `json:"request"`
	Viewname     string         `json:"viewname"`
	Args         []any          `json:"args"`
	Kwargs       map[string]any `json:"kwargs"`
	Format       string         `json:"format"`
	Extra        map[string]any `json:"extra"`
	Version      verso.Version  `json:"target_version"` // asks for another version
	Routes       string         `json:"routes"`         // the name of a table of routes.json
	Want         reverseWant    `json:"want"`
}

// reverseWant is a URL or the name of an error.
type reverseWant struct {
	URL   string `json:"url"`
	Error string `json:"error"`
}

// requestVersion reads the version that was determined for the request of a
// case.
type requestVersion struct {
	Request struct {
		Version verso.Version `json:"version"`
	} `json:"request"`
}

func (r *reverseCase) target() verso.Target {
	return verso.Target{Name: r.Viewname, Args: r.Args, Kwargs: r.Kwargs, Format: r.Format, Extra: r.Extra, Version: r.Version}
}

// judge returns what is wrong with the outcome of a reversal.
func (w reverseWant) judge(url string, err error) error {
	wantErr := map[string]error{
		"":                 nil,
		"no-reverse-match": verso.ErrNoReverseMatch,
		"args-and-kwargs":  verso.ErrMixedArguments,
	}[w.Error]
	switch {
	case w.Error != "" && wantErr == nil:
		return fmt.Errorf("unknown error %q in the case", w.Error)
	case wantErr == nil && err != nil:
		return fmt.Errorf("reversal failed instead of returning %q: %w", w.URL, err)
	case !errors.Is(err, wantErr):
		return fmt.Errorf("reversal returned %q, error \"%w\", instead of the error %q", url, err, w.Error)
	case url != w.URL:
		return fmt.Errorf("URL is %q instead of %q", url, w.URL)
	}
	return nil
}

// determinedScheme is a scheme that has already determined the version.
type determinedScheme struct {
	verso.Scheme
	version verso.Version
}

func (s determinedScheme) DetermineVersion(verso.Request) (verso.Version, error) {
	return s.version, nil
}

// checkReverse lets a handler, in a request to a route beside those of the
// case's table, reverse the target of the case.
func checkReverse(tb testing.TB, mount Mount, c *Case) error {
	tb.Helper()
	var r reverseCase
	var determined requestVersion
	if err := errors.Join(c.decode(&r), c.decode(&determined)); err != nil {
		return err
	}
	table, ok := c.tables[r.Routes]
	if !ok {
		return fmt.Errorf("routes.json has no table %q", r.Routes)
	}
	if r.Request == nil || r.Entry != "wrapper" || r.AttachScheme != nil && !*r.AttachScheme {
		return errors.New("a case of level http needs a request, entry wrapper and an attached scheme")
	}
	scheme, err := c.newScheme()
	if err != nil {
		return err
	}
	app := App{Scheme: determinedScheme{scheme, determined.Request.Version}}
	for _, route := range table {
		if expressible(route.Pattern) {
			app.Routes = append(app.Routes, Route{
				Method: http.MethodGet, Namespace: route.Namespace, Name: route.Name, Pattern: route.Pattern,
				Handle: func(w http.ResponseWriter, _ *http.Request, _ Call) { w.WriteHeader(http.StatusNoContent) },
			})
		}
	}
	var outcome error
	var calls int
	target, _, _ := strings.Cut(r.Request.Target, "?")
	app.Routes = append(app.Routes, Route{
		Method: r.Request.Method, Name: "conformance-here", Pattern: target,
		Handle: func(w http.ResponseWriter, _ *http.Request, call Call) {
			calls++
			outcome = r.Want.judge(call.Reverse(r.target()))
			w.WriteHeader(http.StatusOK)
		},
	})
	got, err := exchange(mount(tb, app), r.Request)
	switch {
	case err != nil:
		return err
	case got.status != http.StatusOK || calls != 1:
		return fmt.Errorf("the reversing handler ran %d times, status %d", calls, got.status)
	case outcome != nil:
		return fmt.Errorf("%w\nrequest:\n%sversion: %#v\ntarget: %+v", outcome, r.Request, determined.Request.Version, r.target())
	}
	return nil
}

// expressible reports whether all frameworks can express the pattern: each
// parameter takes a whole segment or, as the last one, the rest of the path.
func expressible(pattern string) bool {
	segments := strings.Split(pattern, "/")
	for i, segment := range segments {
		name, found := strings.CutPrefix(segment, "{")
		switch {
		case !strings.ContainsAny(segment, "{}"):
		case !found || strings.IndexByte(name, '}') != len(name)-1 || strings.ContainsAny(name, ":{"):
			return false
		case strings.Contains(name, "*") && i < len(segments)-1:
			return false
		}
	}
	return true
}
