package conformance

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// Hostile sends versions that no honest client sends to every place that a
// version can come from, each in a subtest: line breaks, NUL, a change of
// direction, markup, 64 KiB, bytes that are not UTF-8. The request must be
// refused, by the adapter or by the server before it, or have no version, and
// nothing of the value may stand in the response.
func Hostile(t *testing.T, mount Mount) {
	t.Helper()
	values := map[string]string{
		"line-break":    "v9\r\nX-Evil: 1",
		"nul":           "v9\x00evil",
		"direction":     "v9\u202eevil",
		"markup":        "<script>evil()<script>",
		"64-kib":        strings.Repeat("evil", 16<<10),
		"invalid-utf-8": "v9\xff\xfeevil",
	}
	host := "api.example.com"
	for place, send := range map[string]struct {
		scheme  string
		pattern string
		request func(value string) request
	}{
		"accept": {"accept_header", "/users", func(value string) request {
			return request{Target: "/users", Host: &host, Headers: map[string][]string{
				"Accept": {`application/json; version="` + byteText(value) + `"`},
			}}
		}},
		"path": {"url_path", "/{version}/users", func(value string) request {
			return request{Target: "/" + url.PathEscape(value) + "/users", Host: &host}
		}},
		"query": {"query_parameter", "/users", func(value string) request {
			return request{Target: "/users?version=" + url.QueryEscape(value), Host: &host}
		}},
		"host": {"hostname", "/users", func(value string) request {
			host := byteText(value) + ".example.com"
			return request{Target: "/users", Host: &host}
		}},
	} {
		for name, value := range values {
			t.Run(place+"/"+name, func(t *testing.T) {
				r := send.request(value)
				r.Method, r.URLScheme = http.MethodGet, "http"
				if err := checkHostile(t, mount, send.scheme, send.pattern, &r); err != nil {
					t.Errorf("%v\nrequest:\n%.1000s", err, &r)
				}
			})
		}
	}
}

// byteText returns text whose characters stand for the bytes of value.
func byteText(value string) string {
	text := make([]rune, len(value))
	for i := range len(value) {
		text[i] = rune(value[i])
	}
	return string(text)
}

func checkHostile(tb testing.TB, mount Mount, schemeName, pattern string, r *request) error {
	tb.Helper()
	scheme, err := settings{
		AllowedVersions: []verso.Version{verso.V("v1")}, HostNameRegex: `(?s)(.+)\.example\.com`,
	}.newScheme(schemeName)
	if err != nil {
		return err
	}
	var seen verso.Version
	got, err := exchange(mount(tb, App{Scheme: scheme, Routes: []Route{{
		Method: http.MethodGet, Name: "route", Pattern: pattern,
		Handle: func(_ http.ResponseWriter, _ *http.Request, call Call) { seen = call.Version },
	}}}), r)
	switch {
	case err != nil:
		return err
	case !seen.IsNone() || got.status >= 500:
		return fmt.Errorf("status %d, the handler saw version %.300q", got.status, seen)
	case bytes.Contains(bytes.ToLower(got.body), []byte("evil")):
		return fmt.Errorf("the body repeats the version: %.300q", got.body)
	}
	for name, values := range got.header {
		if strings.Contains(strings.ToLower(name+strings.Join(values, "")), "evil") {
			return fmt.Errorf("the field %s repeats the version", name)
		}
	}
	return nil
}
