package catalogue_test

import (
	"slices"
	"testing"

	"github.com/goverso/verso/core/catalogue"
)

func TestCheckFieldName(t *testing.T) {
	tests := []struct {
		code  string
		names []string
	}{
		{"", []string{"Api-Version", "api-version", "Accept-Version", "accept-version", "X", "X-Api-Version", "Version", "Acceptable", "Contents", "X_1", "!#$%&'*+-.^_`|~"}},
		{"header_name", []string{"", " ", "Api Version", "Api-Version:", "Api-Version\n", "Vérsion", "a/b", "(a)", "a,b", `"a"`}},
		{"header_reserved", []string{
			"Host", "Accept", "Accept-Encoding", "Content-Type", "content-version", "Vary", "Link", "Deprecation", "Sunset", "Retry-After",
			"Cache-Control", "Location", "Allow", "Date", "Connection", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Authorization", "Cookie", "Set-Cookie",
			"ETag", "etag", "HOST", "User-Agent", "Referer", "Origin", "Range", "If-Match", "Forwarded", "X-Forwarded-Host", "Proxy-Authorization", "Sec-Fetch-Site", "api-supported-versions", "Api-Deprecated-Versions", "Access-Control-Expose-Headers",
		}},
	}
	for _, test := range tests {
		for _, name := range test.names {
			err := catalogue.CheckFieldName(name)
			var want []mistake
			if test.code != "" {
				want = []mistake{{test.code, ""}}
			}
			if got := mistakesOf(t, err); !slices.Equal(got, want) {
				t.Errorf("CheckFieldName(%q) = %v, want %q", name, err, test.code)
			}
		}
	}
}

func TestListable(t *testing.T) {
	for text, want := range map[string]bool{
		"v1": true, "2026-06-30": true, "1.0": true, "!": true, "~": true, `"`: true,
		"": false, "v1,v2": false, "v 1": false, "v1\t": false, "v1\x00": false, "v1\x7f": false, "v²": false, "\x80": false,
	} {
		if catalogue.Listable(text) != want {
			t.Errorf("Listable(%q) = %v", text, !want)
		}
	}
}
