package service

import (
	"cmp"
	"mime"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v3"
)

// What services do that determine versions by hand. They send the same Vary as
// Verso, but read a single media range and reject without a reason.

// versions are those that are served, by their last byte.
var versions = [...]string{"v1", "v2", "v3"}

// reader reads the text of a version, "" for none.
type reader[C any] func(c C) string

// Lean code cuts what a request has.
var lean = map[string]reader[*http.Request]{
	"accept":     func(r *http.Request) string { return versionOfAccept(r.Header.Get("Accept")) },
	"host":       func(r *http.Request) string { return labelOf(r.Host) },
	"query":      func(r *http.Request) string { return versionOfQuery(r.URL.RawQuery) },
	"header":     func(r *http.Request) string { return r.Header.Get("Api-Version") },
	"media type": func(r *http.Request) string { return versionOfVendor(r.Header.Get("Accept")) },
	"three sources": func(r *http.Request) string {
		return cmp.Or(r.Header.Get("Api-Version"), versionOfQuery(r.URL.RawQuery))
	},
}

// Usual code asks packages that do more than is needed.
var usual = map[string]reader[*http.Request]{
	"accept": func(r *http.Request) string {
		_, params, _ := mime.ParseMediaType(r.Header.Get("Accept"))
		return params["version"]
	},
	"host": func(r *http.Request) string {
		if labels := strings.Split(r.Host, "."); len(labels) == 3 {
			return labels[0]
		}
		return ""
	},
	"query": func(r *http.Request) string { return r.URL.Query().Get("version") },
	"media type": func(r *http.Request) string {
		mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Accept"))
		return strings.TrimSuffix(strings.TrimPrefix(mediaType, "application/vnd.acme."), "+json")
	},
	"three sources": func(r *http.Request) string {
		return cmp.Or(r.Header.Get("Api-Version"), r.URL.Query().Get("version"))
	},
}

// The same in Fiber.
var (
	leanInFiber = map[string]reader[fiber.Ctx]{
		"accept":     func(c fiber.Ctx) string { return versionOfAccept(c.Get("Accept")) },
		"host":       func(c fiber.Ctx) string { return labelOf(c.Host()) },
		"query":      func(c fiber.Ctx) string { return c.Query("version") },
		"header":     func(c fiber.Ctx) string { return c.Get("Api-Version") },
		"media type": func(c fiber.Ctx) string { return versionOfVendor(c.Get("Accept")) },
		"three sources": func(c fiber.Ctx) string {
			return cmp.Or(c.Get("Api-Version"), c.Query("version"))
		},
	}
	usualInFiber = map[string]reader[fiber.Ctx]{
		"accept": func(c fiber.Ctx) string {
			_, params, _ := mime.ParseMediaType(c.Get("Accept"))
			return params["version"]
		},
		"media type": func(c fiber.Ctx) string {
			mediaType, _, _ := mime.ParseMediaType(c.Get("Accept"))
			return strings.TrimSuffix(strings.TrimPrefix(mediaType, "application/vnd.acme."), "+json")
		},
	}
)

// versionOfAccept returns that of "application/json; version=v2".
func versionOfAccept(accept string) string {
	_, params, _ := strings.Cut(accept, ";")
	_, version, _ := strings.Cut(params, "version=")
	version, _, _ = strings.Cut(version, ";")
	return version
}

// labelOf returns the first label of a host.
func labelOf(host string) string {
	label, _, more := strings.Cut(host, ".")
	if !more || host == "example.com" {
		return ""
	}
	return label
}

// versionOfQuery returns the last version parameter, which nobody sends encoded.
func versionOfQuery(rawQuery string) (version string) {
	for more := rawQuery != ""; more; {
		var pair string
		if pair, rawQuery, more = strings.Cut(rawQuery, "&"); strings.HasPrefix(pair, "version=") {
			version = pair[len("version="):]
		}
	}
	return version
}

// versionOfVendor returns that of "application/vnd.acme.v2+json".
func versionOfVendor(accept string) string {
	version, ok := strings.CutPrefix(accept, "application/vnd.acme.")
	if !ok {
		return ""
	}
	version, _ = strings.CutSuffix(version, "+json")
	return version
}

// byHand is what a middleware by hand is made of.
type byHand[C any] struct {
	variant    Variant
	group      string    // the version of the routes of a group, "" where requests have it
	inPath     bool      // the path parameter comes first
	read       reader[C] // nil: there is nothing else
	vary       []string
	name, line []byte // of Vary, as fasthttp takes them
	fields     [][2]string
}

func newByHand[C any](o *Options, r Route, lean, usual map[string]reader[C]) byHand[C] {
	h := byHand[C]{variant: o.Variant, inPath: o.Scheme.inPath, read: lean[o.Scheme.Name], fields: o.Fields}
	if own := usual[o.Scheme.Name]; own != nil && o.Variant == Usual {
		h.read = own
	}
	if o.Scheme.grouped {
		h.group = cmp.Or(r.version(), versions[0])
	}
	if o.Scheme.vary != "" {
		h.vary, h.name, h.line = []string{o.Scheme.vary}, []byte("Vary"), []byte(o.Scheme.vary)
	}
	return h
}

// isServed reports whether a version is served.
func (h *byHand[C]) isServed(version string) bool {
	if h.variant == Usual {
		return known[version]
	}
	switch version {
	case "v1", "v2", "v3":
		return true
	}
	return false
}

// floor returns what the least code keeps, nil for a version that is not served.
func floor(version string) *string {
	if len(version) == 2 && version[0] == 'v' && version[1]-'1' < byte(len(versions)) {
		return &versions[version[1]-'1']
	}
	return nil
}

// respond sets the response fields.
func (h *byHand[C]) respond(header http.Header) {
	if h.vary != nil && h.variant == Floor {
		header["Vary"] = h.vary
	} else if h.vary != nil {
		header.Add("Vary", h.vary[0])
	}
	for _, field := range h.fields {
		header.Set(field[0], field[1])
	}
}

// text returns what a store has kept: a constant, or a version that was
// determined by hand.
func text(stored any) string {
	switch value := stored.(type) {
	case *string:
		return *value
	case string:
		return value
	}
	return ""
}
