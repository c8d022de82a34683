package prefix_test

import (
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
		{"/{version}", "/v1", "v1", "v1", ""},
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
	} {
		p, pattern := prefix.Parse(test.template), route.Colons(test.path)
		version, segment := p.Place(&pattern, set)
		if resource := p.Resource(&pattern, segment); version != test.version || segment != test.segment || resource != test.resource {
			t.Errorf("%s, %s: version %q, segment %q, resource %q; want %q, %q, %q", test.template, test.path, version, segment, resource,
				test.version, test.segment, test.resource)
		}
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
