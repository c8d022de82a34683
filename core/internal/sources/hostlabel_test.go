package sources_test

import (
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

func TestHostPattern(t *testing.T) {
	const digits = `(v[0-9]+)\.example\.com`
	const fallback = "= default"
	tests := []struct {
		name, pattern, host, want string
	}{
		{"anchored", "^" + digits + "$", "v1.example.com", "= v1"},
		{"not anchored", digits, "v1.example.com", "= v1"},
		{"port", digits, "v1.example.com:8080", "= v1"},
		{"not anchored, text behind", digits, "v1.example.com.evil.com", fallback},
		{"not anchored, text before", digits, "evil-v1.example.com", fallback},
		{"line break behind", "^" + digits + "$", "v1.example.com\n", fallback},
		{"line break behind, lines matched", "(?m)^" + digits + "$", "v1.example.com\nx", fallback},
		{"alternatives are anchored too", digits + "|(v[0-9]+)", "v1.example.com.evil.com", fallback},
		{"the longer alternative", `(v1|v10)\.example\.com`, "v10.example.com", "= v10"},
		{"case", digits, "V1.EXAMPLE.COM", "= v1"},
		{"case in the pattern", `(v[0-9]+)\.Example\.COM`, "v1.example.com", "= v1"},
		{"case that differs", "(?-i)" + digits, "v1.EXAMPLE.COM", fallback},
		{"case that differs, in an alternative", "(?-i)" + digits + `|(v1)\.a\.b`, "V1.a.b", fallback},
		{"case ignored", "(?i)" + digits, "V1.EXAMPLE.COM", "= v1"},
		{"trailing dot", digits, "v1.example.com.", fallback},
		{"no version", digits, "example.com", fallback},
		{"empty host", digits, "", fallback},
		{"empty group", `(v?)example\.com`, "example.com", "= "},
		{"optional group without part", `(?:(v[0-9]+)\.)?example\.com`, "example.com", "none"},
		{"optional group", `(?:(v[0-9]+)\.)?example\.com`, "v1.example.com", "= v1"},
		{"group 1 of two", `(v[0-9]+)\.(example)\.com`, "v1.example.com", "= v1"},
		{"quoted to the end", `(v1)\Q.example.com`, "v1.example.com", "= v1"},
		{"quoted to the end, text behind", `(v1)\Q.example.com`, "v1.example.com.evil.com", fallback},
		{"quoted to the end, another byte for a dot", `(v1)\Q.example.com`, "v1-example-com", fallback},
		{"IPv6", `(.*)`, "[::1]:80", "= ["},
		{"512 bytes", `(v1|[a.]+)`, strings.Repeat("a", 512), "= " + strings.Repeat("a", 512)},
		{"513 bytes", `(v1|[a.]+)`, strings.Repeat("a", 513), fallback},
		{"512 bytes and a port", `(v1|[a.]+)`, strings.Repeat("a", 512) + ":80", "= " + strings.Repeat("a", 512)},
		{"an expression that backtracks elsewhere", `(a+)+b`, strings.Repeat("a", 512), fallback},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := verso.MustNew(verso.HostLabel(test.pattern), verso.Config{DefaultVersion: verso.V("default")})
			coretest.Expect(t, api, coretest.Host(test.host).Request(), test.want)
		})
	}
}

// The version in a host is the listed one, however the host is spelled.
func TestHostCase(t *testing.T) {
	const pattern = `^([a-z0-9-]+)\.api\.example\.com$`
	for _, test := range []struct{ pattern, host, want string }{
		{"", "V2.example.com", "= v2"},
		{"", "v2.EXAMPLE.com", "= v2"},
		{"", "V9.example.com", coretest.RejectedHost},
		{"(?-i)", "V2.example.com", coretest.RejectedHost},
		{"(?-i)", "v2.EXAMPLE.com", "= v2"},
		{pattern, "V2.api.example.com", "= v2"},
		{pattern, "v2.API.Example.com", "= v2"},
		{pattern, "V9.api.example.com", coretest.RejectedHost},
		{"(?-i)" + pattern, "v2.API.example.com", "= v1"},
		{`([A-Z0-9]+)\.api\.example\.com`, "V2.API.example.com", "= v2"},
	} {
		api := verso.MustNew(verso.HostLabel(test.pattern), coretest.WithDefault("v1", "v2"))
		coretest.Expect(t, api, coretest.Host(test.host).Request(), test.want, test.pattern, test.host)
	}
}

// Where every version is served, a host has one version however it is spelled: that of the
// default, or in lower case.
func TestHostCaseOfAnyVersion(t *testing.T) {
	for _, test := range []struct{ pattern, host, want string }{
		{"", "V2.example.com", "= v2"},
		{"", "v2.EXAMPLE.com", "= v2"},
		{"", "BETA.example.com", "= Beta"},
		{"", "beta.example.com", "= Beta"},
		{"(?-i)", "V2.example.com", "= V2"},
		{`([a-z0-9-]+)\.api\.example\.com`, "V2-X.api.Example.com", "= v2-x"},
	} {
		api := verso.MustNew(verso.HostLabel(test.pattern), verso.Config{DefaultVersion: verso.V("Beta")})
		coretest.Expect(t, api, coretest.Host(test.host).Request(), test.want, test.pattern, test.host)
	}
}

// A group 1 that took no part is no version, whatever the default: it must be
// allowed that a request has none.
func TestHostPatternOptionalGroup(t *testing.T) {
	const pattern = `(?:(v[0-9]+)\.)?example\.com`
	for name, test := range map[string]struct {
		config verso.Config
		want   string
	}{
		"no list":             {verso.Config{}, "none"},
		"allowed":             {verso.Config{AllowedVersions: []string{"v1"}, AllowUnversioned: true}, "none"},
		"list":                {coretest.List("v1"), coretest.RejectedHost},
		"list and a default":  {coretest.WithDefault("v1"), coretest.RejectedHost},
		"allowed, but strict": {verso.Config{AllowedVersions: []string{"v1"}, AllowUnversioned: true, Strict: verso.Strict()}, coretest.RejectedHost},
	} {
		api := verso.MustNew(verso.HostLabel(pattern), test.config)
		coretest.Expect(t, api, coretest.Host("example.com").Request(), test.want, name)
	}
}

func TestHostLabel(t *testing.T) {
	api := verso.Must(scheme.NewHostName("", verso.Config{DefaultVersion: verso.V("default")}))
	const fallback = "= default"
	tests := []struct {
		name, host, want string
	}{
		{"three labels", "v1.example.com", "= v1"},
		{"case is kept", "V1.Example.Com", "= V1"},
		{"empty port", "v1.example.com:", "= v1"},
		{"port that is none", "v1.example.com:x:y", "= v1"},
		{"address", "10.0.0", "= 10"},
		{"the last letters and digit", "zZ9.zZ9.zZ9", "= zZ9"},
		{"the first letters and digit", "aA0.aA0.aA0", "= aA0"},
		{"byte before a", "v`.example.com", fallback},
		{"byte behind z", "v{.example.com", fallback},
		{"byte before A", "v@.example.com", fallback},
		{"byte behind Z", "v[.example.com", fallback},
		{"byte before 0", "v/.example.com", fallback},
		{"two labels", "example.com", fallback},
		{"four labels", "v1.api.example.com", fallback},
		{"IPv4", "127.0.0.1", fallback},
		{"IPv6", "[::1]:80", fallback},
		{"userinfo", "v1.example.com@evil.com", fallback},
		{"userinfo behind a colon", "v1.example.com:x@evil.com", "= v1"},
		{"trailing dot", "v1.example.com.", fallback},
		{"hyphen", "v-1.example.com", fallback},
		{"not ASCII", "vé.example.com", fallback},
		{"white space", " v1.example.com", fallback},
		{"very long label", strings.Repeat("v", 64<<10) + ".example.com", "= " + strings.Repeat("v", 64<<10)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			coretest.Expect(t, api, coretest.Host(test.host).Request(), test.want)
		})
	}
}

// Hosts that hold no version got past the check (issue 11, point 3): a service
// that refuses unversioned requests is closed.
func TestHostThatHoldsNoVersion(t *testing.T) {
	hosts := []string{
		"v9.example.com.", "v9-x.example.com", "v9.api.example.com", "a.b.c.d.e.f.example.com", "example.com", "localhost", "",
		"127.0.0.1", "[::1]", strings.Repeat("v9.", 200) + "example.com", strings.Repeat("v", 513) + ".a.b.c",
	}
	strict := coretest.With(coretest.WithDefault("v1"), func(c *verso.Config) { c.Strict = verso.Strict() })
	open := coretest.WithDefault("v1")
	for _, name := range hosts {
		for pattern, from := range map[string]source.Source{"built-in": verso.HostLabel(""), "own": verso.HostLabel(`(v[0-9]+)\.example\.com`)} {
			coretest.Expect(t, verso.MustNew(from, strict), coretest.Host(name).Request(), coretest.RejectedHost, pattern, name)
			coretest.Expect(t, verso.MustNew(from, open), coretest.Host(name).Request(), "= v1", pattern, name)
		}
	}
}

// Where hosts are checked, the source sees the same host as the check.
func TestHostLabelAndAllowedHosts(t *testing.T) {
	config := coretest.With(coretest.List("v1", "v2"), func(c *verso.Config) {
		c.Strict = verso.Strict()
		c.Strict.AllowedHosts = []string{"example.com"}
	})
	for name, want := range map[string]string{
		"v1.example.com": "= v1", "v1.example.com.": "= v1", "v1.example.com.:8080": "= v1", "v1.EXAMPLE.com": "= v1",
		"v9.example.com.": coretest.RejectedHost, "v1.example.com..": "421 unknown_host", "v1.example.org": "421 unknown_host", "": "421 unknown_host",
	} {
		for _, from := range []source.Source{verso.HostLabel(""), verso.HostLabel(`(v[0-9]+)\.(?i:example\.com)`)} {
			coretest.Expect(t, verso.MustNew(from, config), coretest.Host(name).Request(), want, "host", name)
		}
	}
}
