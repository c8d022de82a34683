package catalogue

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// maxAge bounds how long a response of [Catalogue.Handler] may be cached, since a
// new release of the service may have another catalogue.
const maxAge = time.Hour

// Handler returns a handler that serves the versions as JSON, for discovery. It lists
// the versions that are released and have not ended, the oldest first:
//
//	{"versions": [
//		{"id": "v1", "status": "DEPRECATED", "deprecated": "2026-03-01T00:00:00Z", "sunset": "2026-12-01T00:00:00Z",
//		 "successor": "v2", "links": [{"rel": "deprecation", "href": "https://example.com/v1"}]},
//		{"id": "v2", "status": "CURRENT", "links": []}
//	]}
//
// The status is CURRENT for the newest supported version, SUPPORTED, DEPRECATED,
// or EXPERIMENTAL for a preview. The response has an ETag, and a Cache-Control
// whose max-age ends at the next change, after an hour at most. The clock should
// be that of the service; nil means time.Now. Make the route of the handler
// version-neutral.
func (c *Catalogue) Handler(clock func() time.Time) http.Handler {
	if clock == nil {
		clock = time.Now
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.serve(w, r, clock()) })
}

// discovered is a version in the response of the handler.
type discovered struct {
	ID         string    `json:"id"`
	Status     string    `json:"status"`
	Released   time.Time `json:"released,omitzero"`
	Deprecated time.Time `json:"deprecated,omitzero"`
	Sunset     time.Time `json:"sunset,omitzero"`
	Successor  string    `json:"successor,omitempty"`
	Links      []Link    `json:"links"`
}

func (c *Catalogue) serve(w http.ResponseWriter, r *http.Request, now time.Time) {
	header := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	// strings and times: it cannot fail
	body, _ := json.Marshal(map[string][]discovered{"versions": c.discover(c.At(now))})
	body = append(body, '\n')
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", fmt.Sprintf("max-age=%d", c.unchanged(now)))
	sum := sha256.Sum256(body)
	header.Set("ETag", fmt.Sprintf(`"%x"`, sum[:16]))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// discover returns the versions that clients may use at a moment.
func (c *Catalogue) discover(m Moment) []discovered {
	all := make([]discovered, 0, len(c.timeline.versions))
	current := -1
	for index, version := range c.timeline.names {
		entry, state := c.Entry(index), m.State(index)
		if state == Unreleased || state == Ended {
			continue
		}
		links := append([]Link{}, entry.Links...) // never null
		d := discovered{version, "SUPPORTED", entry.Released.UTC(), entry.Deprecated.UTC(), entry.Sunset.UTC(), "",
			links}
		if next, ok := m.Successor(index); ok {
			d.Successor = c.timeline.names[next]
		}
		switch {
		case entry.Preview:
			d.Status = "EXPERIMENTAL"
		case state == Deprecated:
			d.Status = "DEPRECATED"
		default:
			current = len(all)
		}
		all = append(all, d)
	}
	if current >= 0 {
		all[current].Status = "CURRENT"
	}
	return all
}

// unchanged returns for how many seconds from now nothing changes, up to maxAge.
func (c *Catalogue) unchanged(now time.Time) int64 {
	seconds := int64(maxAge / time.Second)
	starts := c.timeline.periods
	if next := periodAt(starts, now.Unix()) + 1; next < len(starts) {
		seconds = min(seconds, starts[next]-now.Unix())
	}
	return seconds
}
