package sources_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

type (
	pinKey  struct{}
	pinName string
)

// TestStoredNames: the name is in metrics, so it is a text of the service, or a type.
func TestStoredNames(t *testing.T) {
	for _, test := range []struct {
		key     any
		headers []string
		name    string
		codes   []string
	}{
		{"pin", []string{"Authorization"}, `stored value "pin"`, nil},
		{pinName("pin"), []string{"authorization"}, `stored value "pin"`, nil},
		{pinKey{}, []string{"X-Api-Key"}, `stored value of type sources_test.pinKey`, nil},
		{new(int), []string{"Cookie"}, `stored value of type *int`, nil},
		{7, []string{"Cookie"}, `stored value of type int`, nil},
		{"pin", nil, `stored value "pin"`, []string{"stored_without_headers"}},
		{nil, []string{"Cookie"}, `stored value of type <nil>`, []string{"stored_key"}},
		{[]string{"pin"}, []string{"Cookie"}, `stored value of type []string`, []string{"stored_key"}},
		{any([1]any{[]int{1}}), []string{"Cookie"}, `stored value of type [1]interface {}`, []string{"stored_key"}},
		{"pin", []string{"Authorization: Bearer"}, `stored value "pin"`, []string{"header_name"}},
		{"pin", []string{""}, `stored value "pin"`, []string{"header_name"}},
	} {
		from := verso.Stored(test.key, test.headers...)
		if got := from.Describe().Name; got != test.name {
			t.Errorf("%v: %s, want %s", test.key, got, test.name)
		}
		var codes []string
		api, err := verso.New(from, coretest.List("v1", "v2"))
		for _, f := range coretest.ConfigErrors(err) {
			codes = append(codes, f.Code)
		}
		if err == nil {
			x := adapter.Bind(api, nil).Explain()
			if !slices.Contains(x.Sources, test.name) {
				t.Errorf("%v: explained as %q", test.key, x.Sources)
			}
			for _, f := range x.Findings {
				codes = append(codes, f.Code)
			}
		}
		if !slices.Equal(codes, test.codes) {
			t.Errorf("%v: %q, want %q", test.key, codes, test.codes)
		}
		if err == nil && len(test.headers) > 0 && !slices.Equal(api.Vary(), []string{http.CanonicalHeaderKey(test.headers[0])}) {
			t.Errorf("%v: Vary %q", test.key, api.Vary())
		}
	}
}

// TestStoredLinks: a link carries nothing, as with a header.
func TestStoredLinks(t *testing.T) {
	for _, from := range []source.Source{verso.Stored("pin", "Authorization"), verso.First(verso.Header("Api-Version"), verso.Stored("pin", "Authorization"))} {
		b := adapter.Bind(verso.MustNew(from, verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Relative: true}}), nil)
		added := verso.Must(b.Add(route.Route{Name: "users", Pattern: route.Braces("/users"), Path: "/users"}))
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		request := versotest.Request(r.WithContext(context.WithValue(r.Context(), "pin", "v1")), nil, added.Route()) //nolint:staticcheck // the other frameworks have keys that are texts
		result, _ := coretest.Begin(b, request)
		if link, err := adapter.LinkFor(result, request, verso.Target{Name: "users"}); link != "/users" || err != nil {
			t.Errorf("%s: %s, %v", from.Describe().Name, link, err)
		}
	}
}

// store is a request of a framework as each keeps what middleware stores.
type (
	getsAny  struct{ value any } // Gin from 1.11 on
	getsText struct{ value any } // Echo
	hasValue struct{ value any } // Gin before, and Fiber
)

func (s getsAny) Get(key any) (value any, ok bool) { return s.value, key == pinKey{} || key == "pin" }
func (s getsAny) Value(any) any                    { return nil }
func (s getsText) Get(string) any                  { return s.value }
func (s hasValue) Value(any) any                   { return s.value }

// TestStoredValues reads values of each type from where each framework has them.
func TestStoredValues(t *testing.T) {
	type text string
	pointed := "v1"
	for _, test := range []struct {
		name       string
		key, value any
		want       string
	}{
		{"a text", "pin", "v1", "= v1"},
		{"a Version", "pin", verso.V("v1"), "= v1"},
		{"an empty text", "pin", "", "= v2"},
		{"no Version", "pin", verso.Version{}, "= v2"},
		{"nothing", "pin", nil, "= v2"},
		{"unlisted", "pin", "v9", "400 invalid_version"},
		{"white space", "pin", " v1", "400 invalid_version"},
		{"a number", "pin", 1, "error"},
		{"a type of its own", "pin", text("v1"), "error"},
		{"a pointer", "pin", &pointed, "error"},
		{"bytes", "pin", []byte("v1"), "error"},
		{"false", "pin", false, "error"},
		{"an error", "pin", errors.New("v1"), "error"},
	} {
		for _, key := range []any{test.key, pinKey{}} {
			b := adapter.Bind(verso.MustNew(verso.Stored(key, "Authorization"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v2")}), nil)
			r := httptest.NewRequest(http.MethodGet, "/users", nil)
			inContext := r.WithContext(context.WithValue(r.Context(), key, test.value))
			for name, own := range map[string]any{"any": getsAny{test.value}, "text": getsText{test.value}, "value": hasValue{test.value}, "context": nil, "context of any": getsAny{}} {
				request := r
				if name == "context" || name == "context of any" || name == "text" && key != "pin" {
					request = inContext
				}
				var asked source.Request
				asked.SetHTTP(request, own, nil)
				if got := coretest.Outcome(b, asked); got != test.want && (test.want != "error" || !strings.HasPrefix(got, "error")) {
					t.Errorf("%s, %s, %T: %s, want %s", test.name, name, key, got, test.want)
				}
			}
		}
	}
}
