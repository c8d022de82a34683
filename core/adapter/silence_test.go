package adapter_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// withSuccessor has a version with a successor.
func withSuccessor() *catalogue.Catalogue {
	return catalogue.MustNew(catalogue.Config{SuccessorLinks: true, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: catalogue.MustDate("2020-01-01"), Successor: "v2"}, {Version: "v2"}}})
}

// TestUnlinkedRoutes has routes without a link to the successor, which is a mistake or not.
func TestUnlinkedRoutes(t *testing.T) {
	both := verso.First(verso.PathParam("version"), verso.Header("Api-Version"))
	for name, test := range map[string]struct {
		source source.Source
		routes []route.Route
		want   string // in the finding, "": there is none
	}{
		"the twin of the same name has the version": {both, []route.Route{
			{Name: "user", Method: "GET", Pattern: route.Braces("/{version}/users/{id}")},
			{Name: "user", Method: "GET", Pattern: route.Braces("/users/{id}")}}, ""},
		"the twin of the same path has the version": {both, []route.Route{
			{Method: "GET", Pattern: route.Braces("/api/{version}/users/{id}")},
			{Method: "GET", Pattern: route.Braces("/api/users/{id}")}}, ""},
		"the twin is for another method": {both, []route.Route{
			{Method: "POST", Pattern: route.Braces("/{version}/users/{id}")},
			{Method: "GET", Pattern: route.Braces("/users/{id}")}}, `"/users/{id}"`},
		"no twin": {both, []route.Route{
			{Method: "GET", Pattern: route.Braces("/{version}/users")},
			{Method: "GET", Pattern: route.Braces("/rooms")}}, `"/rooms"`},
		"the place of the version alone": {verso.PathPrefix("/{version}"), []route.Route{
			{Pattern: route.Braces("/v1")}, {Pattern: route.Braces("/v1/*")},
			{Pattern: route.Braces("/v2")}, {Pattern: route.Braces("/v2/*")}}, ""},
		"the successor has the place with a slash": {verso.PathPrefix("/{version}"), []route.Route{
			{Pattern: route.Braces("/v1/users")}, {Pattern: route.Braces("/v2/")}}, `"/v1/users"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := adapter.Bind(verso.MustNew(test.source, verso.Config{Catalogue: withSuccessor()}), nil)
			for _, r := range test.routes {
				coretest.Register(b, r)
			}
			message := ""
			for _, f := range b.Explain().Findings {
				if f.Code == "successor_unlinked" {
					message = f.Message
				}
			}
			if !strings.Contains(message, test.want) || test.want == "" && message != "" {
				t.Errorf("%q, want %q", message, test.want)
			}
		})
	}
}

// TestErrorOfValue has links whose names are right: the error is about the value alone.
func TestErrorOfValue(t *testing.T) {
	b := adapter.Bind(verso.MustNew(verso.PathParam("version"), coretest.List("v1")), nil)
	at := coretest.Register(b, route.Route{Name: "user", Pattern: route.Braces("/{version}/users/{id:[0-9a-f]+}")})
	ask := coretest.Ask{Params: map[string]string{"version": "v1", "id": "7"}, Route: at.Route()}
	result, _ := coretest.Begin(b, ask.Request())
	for name, test := range map[string]struct {
		params verso.Params
		want   string
	}{
		"another type":                    {verso.Params{"id": 1.5}, `path parameter "id": has type float64: give a string, an integer, an encoding.TextMarshaler or a fmt.Stringer`},
		"a slash":                         {verso.Params{"id": "a/b"}, `path parameter "id": "a/b" contains a slash, which ends a segment`},
		"not of the expression":           {verso.Params{"id": "xyz"}, `path parameter "id": "xyz" does not match the expression of the pattern`},
		"a number not of the expression":  {verso.Params{"id": -7}, `path parameter "id": "-7" does not match the expression of the pattern`},
		"another name, and so both tries": {verso.Params{"pk": 1}, `takes (version, id), not (pk, version) (and without the version: verso: no reverse match: route "user" takes (version, id), not (pk))`},
	} {
		_, err := adapter.LinkFor(result, ask.Request(), verso.Target{Name: "user", Params: test.params})
		if !errors.Is(err, verso.ErrNoReverseMatch) || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%s: %v, want …%s", name, err, test.want)
		}
	}
	if link, err := adapter.LinkFor(result, ask.Request(), verso.Target{Name: "user", Params: verso.Params{"id": "7f"}}); link != "/v1/users/7f" {
		t.Errorf("%s, %v", link, err)
	}
}

// TestSourcesThatCannotBeMeant has sources of which a part has no effect.
func TestSourcesThatCannotBeMeant(t *testing.T) {
	numbers := catalogue.Config{ServedHeader: "Api-Version", Versions: []catalogue.Entry{{Version: "1.0"}, {Version: "2.0"}}}
	later := catalogue.Config{ServedHeader: "Api-Version", Versions: []catalogue.Entry{{Version: "1.0"},
		{Version: "2.0", Released: catalogue.MustDate("2030-01-01")}, {Version: "3.0", Preview: true}}}
	pin := verso.Stored("pin", "Authorization")
	for name, test := range map[string]struct {
		source   source.Source
		versions catalogue.Config
		want     string // the code, "": there is none
	}{
		"a release before a version":         {verso.Nearest(verso.Header("Api-Version"), verso.ByNumberUpTo("1.7")), numbers, "order_release"},
		"the release of the version":         {verso.Nearest(verso.Header("Api-Version"), verso.ByNumberUpTo("2.0")), numbers, ""},
		"a version to come, and a preview":   {verso.Nearest(verso.Header("Api-Version"), verso.ByNumberUpTo("1.7")), later, ""},
		"what is stored before a header":     {verso.First(pin, verso.Header("Api-Version")), numbers, "stored_first"},
		"a header before what is stored":     {verso.First(verso.Header("Api-Version"), pin), numbers, ""},
		"what is stored and a header, equal": {verso.Agree(pin, verso.Header("Api-Version")), numbers, ""},
	} {
		t.Run(name, func(t *testing.T) {
			config := verso.Config{Catalogue: catalogue.MustNew(test.versions), Clock: func() time.Time { return catalogue.MustDate("2026-01-01") }}
			found := coretest.Findings(adapter.Bind(verso.MustNew(test.source, config), nil).Explain())
			of := slices.DeleteFunc(found, func(code string) bool { return code != "order_release" && code != "stored_first" })
			if got := strings.Join(of, " "); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	if _, err := verso.New(verso.Stored("", "Authorization"), coretest.List("v1")); err == nil || !strings.Contains(err.Error(), "the key is empty") {
		t.Errorf("an empty key: %v", err)
	}
}
