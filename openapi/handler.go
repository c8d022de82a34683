package openapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/yaml"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
)

// Handler serves the document of each version, in JSON or YAML. [NewHandler] returns one; the zero
// Handler is not valid. It is safe for concurrent use.
type Handler struct {
	explain  func() *verso.Explanation
	document func(service *verso.Explanation, version string) (*openapi3.T, error)
	warned   sync.Once

	mu     sync.Mutex // held while latest changes, not while a document is made
	latest atomic.Pointer[edition]
}

// NewHandler makes the document of each version that has not ended, and returns their
// handler. explain is the adapter's Explain, and document makes the document of a
// version, for example with [ForVersion]: it must be safe for concurrent use. When a route
// is added, or the state of a version or a route in it changes, the next request for the
// version makes its document again.
//
// An error that matches [ErrInvalid] and comes with a document is logged once, and the
// document served. NewHandler fails with any other error of document, so call it when all
// other routes are registered.
func NewHandler(explain func() *verso.Explanation,
	document func(service *verso.Explanation, version string) (*openapi3.T, error)) (*Handler, error) {
	h := &Handler{explain: explain, document: document}
	h.latest.Store(&edition{service: new(verso.Explanation)}) // which is never current
	latest := h.current()
	var errs []error
	for _, version := range latest.service.Versions {
		if made := latest.documents[version]; made != nil {
			h.encode(made, latest.service)
			errs = append(errs, made.err)
		}
	}
	return h, errors.Join(errs...)
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
	latest := h.current()
	document := latest.documents[version]
	if document == nil || document.state.name == "unreleased" {
		http.NotFound(w, r)
		return
	}
	if h.encode(document, latest.service) && document.err != nil {
		slog.Error("verso: the OpenAPI document of a version cannot be made", "version", verso.V(version), "error",
			document.err)
	}
	encoded := document.json
	if encoded != nil && wantsYAML(w, r) {
		encoded = document.yaml()
	}
	if encoded == nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	header.Set("Content-Type", encoded.contentType)
	header.Set("Etag", encoded.etag)
	header.Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(encoded.body))
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
var formats = verso.Must(mediatype.NewNegotiator("application/json", "application/yaml"))

func wantsYAML(w http.ResponseWriter, r *http.Request) bool {
	if extension := extension(r.URL.Path); extension != "" {
		return extension != ".json"
	}
	w.Header().Add("Vary", "Accept")
	accepted, ok := formats.Negotiate(strings.Join(r.Header["Accept"], ", "))
	return ok && accepted.Index == 1
}

// edition is the documents until a route is added or a state changes. If every version is
// allowed, there are none: a client could ask for any string.
type edition struct {
	service   *verso.Explanation
	documents map[string]*document // by version
}

// document is a document that is made once.
type document struct {
	version string
	state   state
	once    sync.Once
	json    *encoded        // nil: err is the reason
	yaml    func() *encoded // made when a client asks for it
	err     error
}

// encoded is an encoded document.
type encoded struct {
	body              []byte
	contentType, etag string
}

func newEncoded(contentType string, body []byte) *encoded {
	hash := sha256.Sum256(body)
	return &encoded{body, contentType, `"` + base64.RawURLEncoding.EncodeToString(hash[:16]) + `"`}
}

// current returns the current edition. What has not changed stays in it.
func (h *Handler) current() *edition {
	if latest := h.latest.Load(); latest.service.IsCurrent() {
		return latest
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.latest.Load()
	if before.service.IsCurrent() {
		return before
	}
	now := &edition{h.explain(), make(map[string]*document)}
	for _, version := range now.service.Versions {
		state := stateOf(now.service, version)
		if made := before.documents[version]; made != nil && reflect.DeepEqual(made.state, state) {
			now.documents[version] = made
		} else if state.name != "ended" {
			now.documents[version] = &document{version: version, state: state}
		}
	}
	h.latest.Store(now)
	return now
}

// encode makes and encodes a document. It reports false if that was done before.
func (h *Handler) encode(d *document, service *verso.Explanation) (now bool) {
	d.once.Do(func() {
		now = true
		made, err := h.document(service, d.version)
		if made == nil && err == nil {
			err = fmt.Errorf("openapi: version %q: the function returns neither a document nor an error: return either", d.version)
		}
		if errors.Is(err, ErrInvalid) && made != nil {
			h.warned.Do(func() {
				slog.Warn("verso: the OpenAPI document has a mistake, and is served: openapitest.Valid finds all "+
					"in a test", "error", err)
			})
			err = nil
		}
		var body []byte
		if err == nil {
			body, err = encode(made)
		}
		if d.err = err; err != nil {
			return
		}
		d.json = newEncoded("application/json", body)
		d.yaml = sync.OnceValue(func() *encoded {
			body, err := yaml.JSONToYAML(body)
			if err != nil {
				slog.Error("verso: the OpenAPI document of a version is not encoded", "version", verso.V(d.version),
					"error", err)
				return nil
			}
			return newEncoded("application/yaml", body) // RFC 9512
		})
	})
	return now
}

// state is the variable part of what a document depends on.
type state struct {
	lifecycle
	routes     []verso.RouteInfo
	deprecated []bool // by route
}

func stateOf(service *verso.Explanation, version string) state {
	s := state{lifecycle: lifecycleOf(service, version), routes: service.Routes}
	s.now = time.Time{}
	for _, r := range service.Routes {
		s.deprecated = append(s.deprecated, isPast(r.Deprecated, service.Time))
	}
	return s
}
