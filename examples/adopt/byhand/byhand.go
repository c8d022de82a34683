// Package byhand is what the versions of a service take without Verso, whatever its
// framework.
package byhand

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// What clients read of a version that has ended, and of one without the resource.
const (
	Ended        = "This API version has ended."
	NotInVersion = "This API version does not have the resource."
)

// The life of v1.
var (
	deprecated = time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)
	sunset     = time.Date(2027, time.December, 1, 0, 0, 0, 0, time.UTC)
)

// Forms are the prefixes under which all routes are.
var Forms = []Form{{"/api", "v1"}, {"/api/v1", "v1"}, {"/api/v2", "v2"}}

// Form is a prefix, and the version that it stands for.
type Form struct{ Prefix, Version string }

// Pick returns a function that picks the handler of the version.
func Pick[H any](f Form) func(v1, v2 H) H {
	return func(v1, v2 H) H {
		if f.Version == "v1" {
			return v1
		}
		return v2
	}
}

// Versions announces and ends v1, and counts who calls which version.
type Versions struct {
	now   func() time.Time
	mu    sync.Mutex
	calls map[call]int
}

// call is what is counted.
type call struct {
	Day, Version, Client, Method, Route string
	Rejected                            bool
}

// New returns the versions as of a clock.
func New(now func() time.Time) *Versions {
	return &Versions{now: now, calls: make(map[call]int)}
}

// Announce writes the fields of a response. route is the path behind the prefix.
func (f Form) Announce(h http.Header, path, route string) {
	if f.Version != "v1" {
		return
	}
	h.Set("Deprecation", fmt.Sprintf("@%d", deprecated.Unix()))
	h.Set("Sunset", sunset.Format(http.TimeFormat))
	if route != "" && route != "/tasks/:id/done" { // v2 does not have it
		successor := url.URL{Path: "/api/v2" + strings.TrimPrefix(path, f.Prefix)}
		h.Add("Link", fmt.Sprintf(`<%s>; rel="successor-version"`, successor.EscapedPath()))
	}
}

// Ended reports whether a version has ended. The service's own UI may call it on.
func (v *Versions) Ended(version, client string) bool {
	return version == "v1" && client != "ui" && !v.now().Before(sunset)
}

// EndedPath reports whether a path without a route is in a version that has ended.
func (v *Versions) EndedPath(path string) bool {
	return strings.HasPrefix(path, "/api/v1/") && v.Ended("v1", "")
}

// Count counts a request.
func (v *Versions) Count(version, client, method, route string, rejected bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.calls[call{v.now().UTC().Format(time.DateOnly), version, client, method, route, rejected}]++
}

// ServeHTTP answers with the requests of the last 30 days.
func (v *Versions) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	type row struct {
		call
		Requests int
	}
	first := v.now().UTC().AddDate(0, 0, -29).Format(time.DateOnly)
	rows := []row{}
	for call, requests := range v.calls {
		if call.Day >= first {
			rows = append(rows, row{call, requests})
		} else {
			delete(v.calls, call)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(rows) // the client may have disconnected
}
