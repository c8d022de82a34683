package prefix_test

import (
	"strings"
	"testing"

	"github.com/goverso/verso/core/internal/prefix"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/route"
)

func TestPlace(t *testing.T) {
	set, err := roster.NewSet(roster.Config{Known: []string{"v1", "1", "é"}, Listed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ template, path, version, segment, resource string }{
		{"/{version}", "/v1/users", "v1", "v1", "/users"},
		{"/{version}", "/v1", "v1", "v1", "{version}"},
		{"/{version}", "/9/users", "", "", "/9/users"},
		{"/{version}", "/:version/users", "", "", "/{}/users"},
		{"/{version}", "/v1:id", "", "", "/v1{}"},
		{"/{version}", "/é/users", "é", "%C3%A9", "/users"},
		{"/v{version}", "/v1/users", "1", "v1", "/users"},
		{"/v{version}", "/v9/users", "9", "v9", "/users"},
		{"/v{version}", "/v0/users", "0", "v0", "/users"},
		{"/v{version}", "/v/users", "", "", "/v/users"},
		{"/v{version}", "/v-next/users", "", "", "/v-next/users"},
		{"/v{version}", "/vnext/users", "", "", "/vnext/users"},
		{"/api/{version}-x", "/api/1-x/users", "1", "1-x", "/api/users"},
		{"/api/{version}", "/api/v1/users", "v1", "v1", "/api/users"},
		{"/api/{version}", "/api", "", "", "/api"},
		{"/api/{version}", "/apis/v1", "", "", ""},
		{"/api/{version}", "/users", "", "", ""},
		// The optional ones are not understood.
		{"/{version}", "/v1/things/:id?", "v1", "v1", "/things/:id?"},
		{"/{version}", "/things/:id?", "", "", "/things/:id?"},
		{"/{version}", "/:id?", "", "", ""},
		{"/{version}", "/v1:id?/things", "", "", ""},
		{"/v{version}", "/v1/:id?", "1", "v1", "/:id?"},
		{"/api/{version}", "/api/v1/:id?", "v1", "v1", "/api/:id?"},
		{"/api/{version}", "/api/:id?", "", "", ""},
		{"/api/{version}", "/users/:id?", "", "", ""},
	} {
		p, pattern := prefix.Parse(test.template), route.Colons(test.path)
		if strings.Contains(test.path, "?") {
			pattern, _ = route.NewPattern(test.path)
		}
		version, segment := p.Place(&pattern, set)
		if resource := p.Resource(&pattern, segment); version != test.version || segment != test.segment || resource != test.resource {
			t.Errorf("%s, %s: version %q, segment %q, resource %q; want %q, %q, %q", test.template, test.path, version, segment, resource,
				test.version, test.segment, test.resource)
		}
	}
}

// Of a pattern that is not understood, the text in front of it decides.
func TestKnows(t *testing.T) {
	for path, want := range map[string]bool{
		"": false, "/:id?": false, "/api/:id?": false, "/ap:id?/v1": false, "/api/v1:id?": false,
		"/api/v1/:id?": true, "/apis/:id?": true, "/users/:id?": true,
	} {
		pattern, _ := route.NewPattern(path)
		if got := prefix.Parse("/api/{version}").Knows(&pattern); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
	if pattern := route.Colons("/:id"); !prefix.Parse("/{version}").Knows(&pattern) {
		t.Error("/:id is not known")
	}
}

func TestIn(t *testing.T) {
	for _, test := range []struct{ template, path, want string }{
		{"/v{version}", "/users", "/v2/users"},
		{"/api/{version}", "/api/users", "/api/2/users"},
		{"/api/{version}", "/api", "/api/2"},
		{"/api/{version}", "/apis", ""},
		{"/api/{version}", "/users", ""},
	} {
		if got, ok := prefix.Parse(test.template).In("2", test.path); got != test.want || ok != (test.want != "") {
			t.Errorf("%s, %s: %q, %v, want %q", test.template, test.path, got, ok, test.want)
		}
	}
}
