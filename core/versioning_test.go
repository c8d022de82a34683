package verso_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

func TestNewVersioningErrors(t *testing.T) {
	scheme := verso.Must(verso.NewAcceptHeader(verso.Settings{}))
	for _, test := range []struct {
		name   string
		config verso.VersioningConfig
		want   string
	}{
		{"no scheme", verso.VersioningConfig{}, "verso: no scheme: make one"},
		{"produces", verso.VersioningConfig{Scheme: scheme, Produces: []string{"json"}}, `verso: what the service produces: mediatype: "json" is not a media type`},
		{"links", verso.VersioningConfig{Scheme: scheme, Links: verso.LinkConfig{Origin: "example.com"}}, `verso: links: origin "example.com"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := verso.NewVersioning(test.config); err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

// Each request gets its own version, whatever others ask for at the same time;
// a version of the settings is the same pointer each time.
func TestDetermine(t *testing.T) {
	scheme := verso.Must(verso.NewQueryParameter(verso.Settings{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2", "v3"}}))
	v := newVersioning(t, verso.VersioningConfig{Scheme: scheme})
	var group sync.WaitGroup
	for _, query := range []string{"version=v1", "version=v2", "version=v3", "", "version=v9"} {
		group.Go(func() {
			first, _ := v.Determine(&request{query: query}, nil, http.Header{})
			for range 500 {
				got, err := v.Determine(&request{query: query}, nil, http.Header{})
				switch {
				case query == "version=v9":
					if got != nil || !errors.Is(err, verso.ErrNotFound) {
						t.Errorf("%s: %v, %v, want it refused", query, got, err)
					}
				case err != nil || got != first || got.Versioning != v:
					t.Errorf("%s: %v, %v, want %v", query, got, err, first)
				case query != "" && query != "version="+got.Version.String(), query == "" && got.Version != verso.V("v1"):
					t.Errorf("%s: version %v", query, got.Version)
				}
			}
		})
	}
	group.Wait()
}

// What the caller still holds, and what a user is given, changes nothing.
func TestVersioningDoesNotChange(t *testing.T) {
	hosts := []string{"example.com"}
	settings := verso.Settings{DefaultVersion: verso.V("v0"), AllowedVersions: []string{"v1", "v2"}}
	scheme := verso.Must(verso.NewQueryParameter(settings))
	v := newVersioning(t, verso.VersioningConfig{
		Scheme: scheme,
		Links:  verso.LinkConfig{TrustedHosts: hosts},
		Routes: func(verso.Request) *route.Table {
			return route.NewTable(route.Route{Name: "a", Pattern: route.Braces("/a")})
		},
	})
	hosts[0], settings.AllowedVersions[0], scheme.Settings().AllowedVersions[0] = "evil.com", "v8", "v9"

	built, err := v.Reverse(&request{}, &http.Request{Host: "example.com"}, verso.Target{Name: "a"})
	if built != "http://example.com/a" {
		t.Errorf("the trusted hosts have changed: %q, %v", built, err)
	}
	for text, want := range map[string]bool{"v1": true, "v8": false, "v9": false} {
		if _, err := v.Determine(&request{query: "version=" + text}, nil, http.Header{}); (err == nil) != want {
			t.Errorf("version %s: error %v", text, err)
		}
	}
	if got := scheme.Settings().AllowedVersions; !slices.Equal(got, []string{"v1", "v2"}) {
		t.Errorf("the settings have changed: %q", got)
	}
	first, second := v.Problem(new(verso.Error), nil, nil).AllowedVersions, v.Problem(new(verso.Error), nil, nil).AllowedVersions
	first, second = append(first, "first"), append(second, "second")
	if !slices.Equal(first, []string{"v1", "v2", "v0", "first"}) || !slices.Equal(second, []string{"v1", "v2", "v0", "second"}) {
		t.Errorf("refusals share what was appended: %q, %q", first, second)
	}
}

func TestDetermineInventedVersion(t *testing.T) {
	v := newVersioning(t, verso.VersioningConfig{Scheme: verso.Must(verso.NewQueryParameter(verso.Settings{}))})
	first, err := v.Determine(&request{query: "version=invented"}, nil, http.Header{})
	if err != nil || first.Version != verso.V("invented") || first.Versioning != v {
		t.Errorf("determined %v, %v", first, err)
	}
	// Invented versions are not kept, or a client could fill the memory.
	if second, _ := v.Determine(&request{query: "version=invented"}, nil, http.Header{}); second == first {
		t.Error("an invented version is kept")
	}
}

// failing is a scheme that fails with the error.
type failing struct {
	*verso.Base
	err error
}

func (f failing) DetermineVersion(verso.Request) (verso.Version, error) {
	return verso.V("v1"), f.err
}

func TestDetermineErrors(t *testing.T) {
	base := verso.Must(verso.NewBase("MyVersioning", verso.Settings{}))
	gone, lowest, highest := &verso.Error{Status: http.StatusGone}, &verso.Error{Status: 400}, &verso.Error{Status: 599}
	for _, test := range []struct {
		name    string
		err     error
		refusal *verso.Error // nil: a programming error
		text    string       // part of it
	}{
		{"a refusal", gone, gone, ""},
		{"a wrapped refusal", fmt.Errorf("wrapped: %w", gone), gone, "wrapped"},
		{"the lowest status", lowest, lowest, ""},
		{"the highest status", highest, highest, ""},
		{"another error", errors.New("other"), nil, "other"},
		{"a nil refusal", (*verso.Error)(nil), nil, "nil *verso.Error"},
		{"a refusal without a status", new(verso.Error), nil, "status 0"},
		{"a refusal with the status of success", &verso.Error{Status: http.StatusOK}, nil, "status 200"},
		{"a status that is too low", &verso.Error{Status: 399}, nil, "status 399"},
		{"a status that is too high", &verso.Error{Status: 600}, nil, "status 600"},
		{"a refusal with a status of four digits", &verso.Error{Status: 4040}, nil, "status 4040"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := newVersioning(t, verso.VersioningConfig{Scheme: failing{base, test.err}})
			determined, err := v.Determine(&request{}, nil, http.Header{})
			refusal, _ := errors.AsType[*verso.Error](err)
			if determined != nil || err == nil || refusal != test.refusal || !strings.Contains(err.Error(), test.text) {
				t.Errorf("determined %v, error %v", determined, err)
			}
		})
	}
}

// What the settings name is made once.
func TestDetermineKeepsWhatSettingsName(t *testing.T) {
	named := verso.Settings{AllowedVersions: []string{"v2"}, DefaultVersion: verso.V("v1")}
	for _, test := range []struct {
		name     string
		settings verso.Settings
		query    string
	}{
		{"none", verso.Settings{}, ""},
		{"default", named, ""},
		{"allowed", named, "version=v2"},
	} {
		v := newVersioning(t, verso.VersioningConfig{Scheme: verso.Must(verso.NewQueryParameter(test.settings))})
		first, err := v.Determine(&request{query: test.query}, nil, http.Header{})
		if err != nil {
			t.Fatal(err)
		}
		if second, _ := v.Determine(&request{query: test.query}, nil, http.Header{}); second != first {
			t.Errorf("%s: determined another pointer the second time", test.name)
		}
	}
}

// A scheme that has no settings to tell can still be used.
func TestVersioningWithoutSettings(t *testing.T) {
	type bare struct{ verso.Scheme } // hides the method Settings
	v := newVersioning(t, verso.VersioningConfig{Scheme: bare{verso.Must(verso.NewQueryParameter(verso.Settings{}))}})
	determined, err := v.Determine(&request{query: "version=v1"}, nil, http.Header{})
	if err != nil || determined.Version != verso.V("v1") {
		t.Errorf("determined %v, %v", determined, err)
	}
	none, err := v.Determine(&request{}, nil, http.Header{})
	if err != nil || !none.Version.IsNone() {
		t.Errorf("determined %v, %v, want none", none, err)
	}
	if again, _ := v.Determine(&request{}, nil, http.Header{}); again != none {
		t.Error("none is determined as another pointer the second time")
	}
}

func TestVersioningWithoutRoutes(t *testing.T) {
	v := newVersioning(t, verso.VersioningConfig{Scheme: verso.Must(verso.NewURLPath(verso.Settings{}))})
	if got, err := v.Reverse(nil, nil, verso.Target{Name: "user"}); got != "" || !errors.Is(err, verso.ErrNoReverseMatch) {
		t.Errorf("built %q, %v, want ErrNoReverseMatch", got, err)
	}
}

func TestVersioningReverseTrustsOneHost(t *testing.T) {
	table := route.NewTable(route.Route{Name: "users", Pattern: route.Colons("/users")})
	v := newVersioning(t, verso.VersioningConfig{
		Scheme: verso.Must(verso.NewHostName(verso.Settings{}, "")),
		Links:  verso.LinkConfig{TrustedHosts: []string{"v1.example.com"}},
		Routes: func(verso.Request) *route.Table { return table },
	})
	got, err := v.Reverse(&request{}, &http.Request{Host: "v1.example.com"}, verso.Target{Name: "users", Version: verso.V("v2")})
	want := `verso: host "v2.example.com" of the URL in version "v2" is not among the trusted hosts: add it`
	if got != "" || err == nil || err.Error() != want {
		t.Errorf("built %q, %v, want %s", got, err, want)
	}
}

// The header is named in every response, that to a refusal and to a request
// without one included.
func TestDetermineVary(t *testing.T) {
	settings := verso.Settings{AllowedVersions: []string{"v1"}, AllowUnversioned: true}
	accept := newVersioning(t, verso.VersioningConfig{Scheme: verso.Must(verso.NewAcceptHeader(settings))})
	path := newVersioning(t, verso.VersioningConfig{Scheme: verso.Must(verso.NewURLPath(settings))})
	for _, test := range []struct {
		name       string
		versioning *verso.Versioning
		accept     []string
		want       []string
	}{
		{"served", accept, []string{"a/b;version=v1"}, []string{"Origin", "Accept"}},
		{"refused", accept, []string{"a/b;version=v9"}, []string{"Origin", "Accept"}},
		{"no header", accept, nil, []string{"Origin", "Accept"}},
		{"no header read", path, []string{"a/b;version=v1"}, []string{"Origin"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			response := http.Header{"Vary": {"Origin"}}
			_, err := test.versioning.Determine(&request{accept: test.accept}, nil, response)
			if got := response["Vary"]; !slices.Equal(got, test.want) {
				t.Errorf("Vary = %q, want %q (%v)", got, test.want, err)
			}
		})
	}
}

func TestVersioningDetermineAllocs(t *testing.T) {
	settings := verso.Settings{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"}}
	v := newVersioning(t, verso.VersioningConfig{Scheme: verso.Must(verso.NewURLPath(settings))})
	response := http.Header{}
	for _, r := range []*request{{path: map[string]string{"version": "v2"}}, {}} {
		if got := testing.AllocsPerRun(100, func() {
			if _, err := v.Determine(r, nil, response); err != nil {
				t.Fatal(err)
			}
		}); got != 0 {
			t.Errorf("%+v: Determine allocates %v times, want 0", r, got)
		}
	}
}

func TestAcceptedMediaType(t *testing.T) {
	scheme := verso.Must(verso.NewAcceptHeader(verso.Settings{}))
	v := newVersioning(t, verso.VersioningConfig{Scheme: scheme, Produces: []string{"application/json", "text/csv"}})
	if got, ok := v.AcceptedMediaType([]string{"image/png", "text/csv;version=v2"}); got != "text/csv;version=v2" || !ok {
		t.Errorf("accepted %q, %v", got, ok)
	}
	if got, ok := v.AcceptedMediaType([]string{"image/png"}); got != "" || ok {
		t.Errorf("accepted %q, %v, want nothing", got, ok)
	}
}

func TestVersioningReverse(t *testing.T) {
	table := route.NewTable(route.Route{Name: "user", Pattern: route.Colons("/users/:id")})
	v := newVersioning(t, verso.VersioningConfig{
		Scheme: verso.Must(verso.NewHostName(verso.Settings{}, "")),
		Links:  verso.LinkConfig{TrustedHosts: []string{"v1.example.com", "v2.example.com"}},
		Routes: func(verso.Request) *route.Table { return table },
	})
	r, raw := &request{version: verso.V("v1")}, &http.Request{Host: "v1.example.com:8080"}
	target := verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}}
	if got, err := v.Reverse(r, raw, target); got != "http://v1.example.com:8080/users/7" || err != nil {
		t.Errorf("built %q, %v", got, err)
	}
	if got, err := v.Reverse(nil, nil, target); got != "/users/7" || err != nil {
		t.Errorf("outside of a request: %q, %v", got, err)
	}
	target.Version = verso.V("v2")
	if got, err := v.Reverse(r, raw, target); got != "http://v2.example.com:8080/users/7" || err != nil {
		t.Errorf("in another version: %q, %v", got, err)
	}
	target.Version = verso.V("v3")
	if got, err := v.Reverse(r, raw, target); got != "" || err == nil || !strings.Contains(err.Error(), `"v3.example.com:8080"`) {
		t.Errorf("in a version whose host is not trusted: %q, %v", got, err)
	}
	target = verso.Target{Name: "users"}
	if got, err := v.Reverse(r, raw, target); got != "" || !errors.Is(err, verso.ErrNoReverseMatch) {
		t.Errorf("no such route: %q, %v", got, err)
	}
}

func newVersioning(t *testing.T, config verso.VersioningConfig) *verso.Versioning {
	t.Helper()
	v, err := verso.NewVersioning(config)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
