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
// when it is first asked for, and again when a route was added or a version has
// changed its state. It is safe for concurrent use.
type Handler struct {
	explain  func() *verso.Explanation
	document func(service *verso.Explanation, version string) (*openapi3.T, error)

	mu    sync.Mutex
	state *state
	made  map[string]*encoded // by version, in this state
}

// encoded is a document as it is sent, or why there is none.
type encoded struct {
	json, yaml []byte
	err        error
}

// NewHandler returns a handler of documents. explain is the adapter's Explain, and
// document returns the document of a version, such as by [ForVersion].
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
// where the service has it: /v2/openapi.json. The format is that of ServeHTTP. A
// version that is not served now is 404. A document that cannot be made is 500, and the
// error is logged.
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

// extension returns the extension of a name, "" for one that is part of a version.
func extension(name string) string {
	switch found := path.Ext(name); found {
	case ".json", ".yaml", ".yml":
		return found
	}
	return ""
}

// formats are what a client can accept. One without a preference gets JSON.
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

// encoded returns the document of a version as it is now.
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
		slog.Error("verso: there is no OpenAPI document of a version", "version", verso.V(version), "error", err)
	}
	return &made
}

// state is what documents depend on, besides what does not change.
type state struct {
	versions   []string
	timeline   []verso.Epoch
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

// serves reports whether a version is listed, released, and has not ended. Where every
// version is served, none has a document of its own: a client could ask for any text.
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

// isPast reports whether there is a time, and it has come.
func isPast(t, now time.Time) bool { return !t.IsZero() && !t.After(now) }
