package openapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/yaml"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
)

// Handler serves the document of each version, in JSON or YAML. It makes a document
// at the first request for it, and again after a route was added or a version has
// changed its state. It is safe for concurrent use.
type Handler struct {
	explain  func() *verso.Explanation
	document func(service *verso.Explanation, version string) (*openapi3.T, error)

	mu    sync.Mutex
	state *state
	made  map[string]*encoded // by version, in the current state
}

// encoded is an encoded document, or the error from making it.
type encoded struct {
	json, yaml []byte
	err        error
}

// NewHandler returns a handler of documents. explain is the adapter's Explain, and
// document makes the document of a version, for example with [ForVersion].
func NewHandler(explain func() *verso.Explanation, document func(service *verso.Explanation, version string) (*openapi3.T, error)) *Handler {
	return &Handler{explain: explain, document: document}
}

// ServeHTTP serves the document of the version that the last segment of the path
// names: /openapi/v2.json, /openapi/v2.yaml, or /openapi/v2 in the format that the
// client accepts. Make its route neutral.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	h.ServeVersion(w, r, strings.TrimSuffix(name, extension(name)))
}

// ServeVersion serves the document of a version, for a route that has the version
// where the service reads it: /v2/openapi.json. It chooses the format as ServeHTTP
// does. It responds with 404 if the version is not served now. If the document
// cannot be made, it responds with 500 and logs the error.
func (h *Handler) ServeVersion(w http.ResponseWriter, r *http.Request, version string) {
	header := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	document := h.encoded(version)
	switch {
	case errors.Is(document.err, verso.ErrUnknownVersion):
		http.NotFound(w, r)
		return
	case document.err != nil:
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	body := document.json
	header.Set("Content-Type", "application/json")
	if wantsYAML(w, r) {
		body = document.yaml
		header.Set("Content-Type", "application/yaml") // RFC 9512
	}
	hash := sha256.Sum256(body)
	header.Set("Etag", `"`+base64.RawURLEncoding.EncodeToString(hash[:16])+`"`)
	header.Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// extension returns the extension of a name, or "" if it is part of a version.
func extension(name string) string {
	switch found := path.Ext(name); found {
	case ".json", ".yaml", ".yml":
		return found
	}
	return ""
}

// formats are what a client can accept. JSON is sent to clients without a preference.
var formats = func() *mediatype.Negotiator {
	n, err := mediatype.NewNegotiator("application/json", "application/yaml")
	if err != nil {
		panic(err)
	}
	return n
}()

func wantsYAML(w http.ResponseWriter, r *http.Request) bool {
	if extension := extension(r.URL.Path); extension != "" {
		return extension != ".json"
	}
	w.Header().Add("Vary", "Accept")
	accepted, ok := formats.Negotiate(strings.Join(r.Header["Accept"], ", "))
	return ok && accepted.Index == 1
}

// encoded returns the current document of a version.
func (h *Handler) encoded(version string) *encoded {
	service := h.explain()
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := stateOf(service); h.state == nil || !reflect.DeepEqual(h.state, now) {
		h.state, h.made = now, make(map[string]*encoded)
	}
	if !h.state.serves(version) {
		return &encoded{err: verso.ErrUnknownVersion}
	}
	made := h.made[version]
	if made == nil {
		made = h.encode(service, version)
		h.made[version] = made
	}
	return made
}

func (h *Handler) encode(service *verso.Explanation, version string) *encoded {
	var made encoded
	document, err := h.document(service, version)
	if err == nil {
		made.json, err = document.MarshalJSON()
	}
	if err == nil {
		made.yaml, err = yaml.JSONToYAML(made.json)
	}
	if made.err = err; err != nil {
		slog.Error("verso: the OpenAPI document of a version cannot be made", "version", verso.V(version), "error", err)
	}
	return &made
}

// state is the variable part of what documents depend on.
type state struct {
	versions   []string
	timeline   []verso.Period
	routes     []verso.RouteInfo
	deprecated []bool // by route
}

func stateOf(service *verso.Explanation) *state {
	s := &state{versions: service.Versions, timeline: service.Timeline, routes: service.Routes}
	for _, r := range service.Routes {
		s.deprecated = append(s.deprecated, isPast(r.Deprecated, service.Time))
	}
	return s
}

// serves reports whether a version is listed, is released, and has not ended. If every
// version is allowed, no version has a document: a client could ask for any string.
func (s *state) serves(version string) bool {
	if len(s.timeline) > 0 {
		for _, status := range s.timeline[0].Versions {
			if status.Version == version {
				return status.State == "supported" || status.State == "deprecated"
			}
		}
		return false
	}
	return slices.Contains(s.versions, version)
}

// isPast reports whether a time is set and is not after now.
func isPast(t, now time.Time) bool { return !t.IsZero() && !t.After(now) }
