package verso_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
)

// lastSegment is a scheme of one's own: the version is what the namespace ends
// in.
type lastSegment struct{ *verso.Base }

func newLastSegment(settings verso.Settings) (*lastSegment, error) {
	base, err := verso.NewBase("LastSegmentVersioning", settings)
	if err != nil {
		return nil, err
	}
	return &lastSegment{base}, nil
}

func (s *lastSegment) DetermineVersion(r verso.Request) (verso.Version, error) {
	namespace := r.Namespace()
	if v, ok := s.Admit(namespace[strings.LastIndexByte(namespace, ':')+1:]); ok {
		return v, nil
	}
	return verso.Version{}, verso.ErrNotFound
}

var _ verso.Scheme = (*lastSegment)(nil)

func TestCustomScheme(t *testing.T) {
	s, err := newLastSegment(verso.Settings{AllowedVersions: []string{"v1"}})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.DetermineVersion(&request{namespace: "api:v1"}); v != verso.V("v1") || err != nil {
		t.Errorf("determined %#v, %v, want v1", v, err)
	}
	if _, err := s.DetermineVersion(&request{namespace: "v1:api"}); !errors.Is(err, verso.ErrNotFound) {
		t.Errorf("error %v, want ErrNotFound", err)
	}
	if vary := s.Vary(); len(vary) != 0 {
		t.Errorf("Vary() = %q, want none", vary)
	}
	reverser := &stubReverser{url: "/users/7"}
	target := verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}, Version: verso.V("v2")}
	if got, err := s.Reverse(&request{version: verso.V("v1")}, reverser, target); got != "/users/7" || err != nil {
		t.Errorf("reversed %q, %v", got, err)
	}
	if got := reverser.targets[0]; got.Name != "user" || len(got.Kwargs) != 1 || got.Version != verso.V("v2") {
		t.Errorf("the target %+v became %+v", target, got)
	}
}

func TestNotImplemented(t *testing.T) {
	base, err := verso.NewBase("MyVersioning", verso.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	var s verso.Scheme = struct{ *verso.Base }{base} // a scheme that forgot DetermineVersion
	v, err := s.DetermineVersion(&request{})
	if !v.IsNone() || !errors.Is(err, verso.ErrNotImplemented) {
		t.Errorf("determined %#v, %v, want ErrNotImplemented", v, err)
	}
	if want := "MyVersioning.determine_version() must be implemented."; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	var refusal *verso.Error
	if errors.As(err, &refusal) || errors.Is(err, verso.ErrNotFound) || errors.Is(err, verso.ErrNotAcceptable) {
		t.Error("a programming error looks like the refusal of a request")
	}
	if _, err := verso.NewBase("MyVersioning", verso.Settings{AllowedVersions: []string{"a", "a"}}); err == nil || !strings.HasPrefix(err.Error(), "verso: MyVersioning: ") {
		t.Errorf("the error of NewBase is %v, want the scheme's name in front", err)
	}
}

func TestAdmit(t *testing.T) {
	listed, _ := verso.NewBase("", verso.Settings{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v0"), AllowUnversioned: true})
	open, _ := verso.NewBase("", verso.Settings{})
	tests := []struct {
		name string
		base *verso.Base
		text string
		want bool
	}{
		{"listed", listed, "v1", true},
		{"default", listed, "v0", true},
		{"other", listed, "v2", false},
		{"empty is not none", listed, "", false},
		{"no list", open, "v2", true},
		{"no list, empty", open, "", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, ok := test.base.Admit(test.text)
			if ok != test.want || ok && v != verso.V(test.text) || !ok && !v.IsNone() {
				t.Errorf("Admit(%q) = %#v, %v, want %v", test.text, v, ok, test.want)
			}
		})
	}
}

func TestMust(t *testing.T) {
	scheme, err := verso.NewURLPath(verso.Settings{})
	if got := verso.Must(scheme, err); got != scheme {
		t.Errorf("Must = %v, want what it was given", got)
	}
	defer func() {
		err, _ := recover().(error)
		if want := `verso: URLPathVersioning: allowed version "v1" is listed twice: remove one`; err == nil || err.Error() != want {
			t.Errorf("panic with %v, want %s", err, want)
		}
	}()
	verso.Must(verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v1"}}))
	t.Error("Must returned in spite of an error")
}

const refused = "(refused)"

// determination is a request to a scheme, for the tests and benchmarks of cost.
type determination struct {
	name    string
	scheme  verso.Scheme
	request *request
	want    string // the version, or "(refused)"
	costs   bool   // it may allocate: a refusal is an error made for the request
}

func determinations(tb testing.TB) []determination {
	tb.Helper()
	settings := verso.Settings{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"}}
	many := verso.Settings{AllowedVersions: make([]string, 10_000)}
	for i := range many.AllowedVersions {
		many.AllowedVersions[i] = fmt.Sprintf("v%d", i+1)
	}
	negotiator, err := mediatype.NewNegotiator("application/json", "text/csv", "application/xml")
	if err != nil {
		tb.Fatal(err)
	}
	const chrome = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"
	pairs := func(n int) string { return strings.Repeat("key=value&", n-1) + "version=v2" }

	accept := verso.Must(verso.NewAcceptHeader(settings))
	path := verso.Must(verso.NewURLPath(settings))
	namespace := verso.Must(verso.NewNamespace(settings))
	host := verso.Must(verso.NewHostName(settings, ""))
	pattern := verso.Must(verso.NewHostName(settings, `([a-z0-9]+)\.api\.example\.com`))
	query := verso.Must(verso.NewQueryParameter(settings))
	return []determination{
		{"accept_header/allowed", accept, &request{accept: []string{"application/json; version=v2"}}, "v2", false},
		{"accept_header/quoted", accept, &request{accept: []string{`application/json; version="v2"`}}, "v2", false},
		{"accept_header/default", accept, &request{}, "v1", false},
		{"accept_header/refused", accept, &request{accept: []string{"application/json; version=v9"}}, refused, true},
		{"accept_header/browser", accept, &request{accept: []string{chrome}, negotiator: negotiator}, "v1", false},
		{"accept_header/produced", accept, &request{accept: []string{"text/csv; version=v2, */*;q=0.1"}, negotiator: negotiator}, "v2", false},
		{"accept_header/64KiB", accept, &request{accept: []string{strings.Repeat("a/b,", 16<<10)}, negotiator: negotiator}, refused, true},
		{"accept_header/10000_versions", verso.Must(verso.NewAcceptHeader(many)), &request{accept: []string{"application/json; version=v9999"}}, "v9999", false},

		{"url_path/allowed", path, &request{path: map[string]string{"version": "v2"}}, "v2", false},
		{"url_path/default", path, &request{}, "v1", false},
		{"url_path/refused", path, &request{path: map[string]string{"version": "v9"}}, refused, true},
		{"url_path/10000_versions", verso.Must(verso.NewURLPath(many)), &request{path: map[string]string{"version": "v9999"}}, "v9999", false},

		{"namespace/allowed", namespace, &request{namespace: "v2"}, "v2", false},
		{"namespace/nested", namespace, &request{namespace: "api:public:v2"}, "v2", false},
		{"namespace/default", namespace, &request{}, "v1", false},
		{"namespace/refused", namespace, &request{namespace: "api:v9"}, refused, true},
		{"namespace/10000_versions", verso.Must(verso.NewNamespace(many)), &request{namespace: "v9999"}, "v9999", false},

		{"hostname/allowed", host, &request{host: "v2.example.com:8080"}, "v2", false},
		{"hostname/default", host, &request{host: "example.com"}, "v1", false},
		{"hostname/refused", host, &request{host: "v9.example.com"}, refused, true},
		{"hostname/pattern", pattern, &request{host: "v2.api.example.com"}, "v2", true},
		{"hostname/10000_versions", verso.Must(verso.NewHostName(many, "")), &request{host: "v9999.example.com"}, "v9999", false},

		{"query_parameter/allowed", query, &request{query: pairs(1)}, "v2", false},
		{"query_parameter/default", query, &request{}, "v1", false},
		{"query_parameter/refused", query, &request{query: "version=v9"}, refused, true},
		{"query_parameter/5_pairs", query, &request{query: pairs(5)}, "v2", false},
		{"query_parameter/10000_pairs", query, &request{query: pairs(10_000)}, "v2", false},
		{"query_parameter/10000_pairs_default", query, &request{query: strings.Repeat("key=value&", 10_000)}, "v1", false},
		{"query_parameter/10000_versions", verso.Must(verso.NewQueryParameter(many)), &request{query: "version=v9999"}, "v9999", false},
	}
}

// A version that is served costs no allocation in any scheme.
func TestDetermineAllocs(t *testing.T) {
	for _, d := range determinations(t) {
		t.Run(d.name, func(t *testing.T) {
			v, err := d.scheme.DetermineVersion(d.request)
			got := v.String()
			if err != nil {
				got = refused
			}
			if got != d.want {
				t.Fatalf("determined %s, %v, want %s", got, err, d.want)
			}
			allocs := testing.AllocsPerRun(100, func() { v, err = d.scheme.DetermineVersion(d.request) })
			if !d.costs && allocs != 0 {
				t.Errorf("DetermineVersion allocates %v times, want 0", allocs)
			}
		})
	}
}

func BenchmarkDetermine(b *testing.B) {
	for _, d := range determinations(b) {
		b.Run(d.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.scheme.DetermineVersion(d.request); (err != nil) != (d.want == refused) {
					b.Fatal(err)
				}
			}
		})
	}
}

// A scheme of one's own embeds a Base and says where the version stands.
func ExampleNewBase() {
	base, err := verso.NewBase("LastSegmentVersioning", verso.Settings{AllowedVersions: []string{"v1", "v2"}})
	if err != nil {
		panic(err)
	}
	scheme := &lastSegment{base}
	fmt.Println(scheme.DetermineVersion(&request{namespace: "api:v2"}))
	fmt.Println(base.DetermineVersion(&request{namespace: "api:v2"}))
	// Output:
	// v2 <nil>
	//  LastSegmentVersioning.determine_version() must be implemented.
}

func ExampleMust() {
	scheme := verso.Must(verso.NewURLPath(verso.Settings{DefaultVersion: verso.V("v1")}))
	fmt.Println(scheme.DetermineVersion(&request{}))
	// Output: v1 <nil>
}
