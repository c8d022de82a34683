package verso

import (
	"net/http"
	"slices"
	"strings"

	"github.com/goverso/verso/core/route"
)

// NewHTTPRequest returns the request of a framework over net/http. request is the
// framework's own one, which router is given; matched is the matched route, nil
// to let router be asked for it when it is needed.
func NewHTTPRequest(r *http.Request, router RouterFacts, request any, matched *route.Route) Request {
	return Request{method: r.Method, http: r, router: router, of: request, route: matched}
}

// fieldOf returns a header field, its lines joined. A single line, which is the
// usual case, is returned as it is.
func fieldOf(header http.Header, name string) (value string, ok bool) {
	lines := header[name]
	switch len(lines) {
	case 0:
		return "", false
	case 1:
		return lines[0], true
	}
	return strings.Join(lines, ", "), true
}

// SetFields writes the response fields of a decision into the header of a
// response of net/http: see [Decision.Fields].
func SetFields(header http.Header, d *Decision) {
	if len(d.Vary) > 0 {
		AddVary(header, d.Vary...)
	}
	if d.lists != nil {
		d.Fields(func(field Field, mode Mode) { setField(header, field, mode) })
	}
}

func setField(header http.Header, field Field, mode Mode) {
	switch lines := header[field.Name]; {
	case len(lines) == 0 || mode == SetField:
		header[field.Name] = field.Lines // without spare capacity: Header.Add copies it
	case mode == AddField:
		header[field.Name] = append(slices.Clip(lines), field.Lines...)
	}
}

// AddVary adds names to the Vary field of a response, without duplicates. Names
// are in canonical form ("Accept"). A field that is "*" says more already and
// stays (RFC 9110, section 12.5.5).
//
// Use it in handlers as well: header.Set("Vary", ...) removes what the
// middleware wrote. Where there is no such field yet, a single name becomes it
// as it stands, in a slice that all responses share: header.Add copies it;
// nobody may write to its element.
func AddVary(header http.Header, names ...string) {
	var lines []string
	if len(header) > 0 {
		lines = header["Vary"]
	}
	if len(lines) == 0 && len(names) == 1 {
		header["Vary"] = names[:1:1]
		return
	}
	for _, name := range names {
		if !varies(lines, name) {
			lines = append(slices.Clip(lines), name)
		}
	}
	if len(lines) > 0 {
		header["Vary"] = lines
	}
}

// varies reports whether the lines of a Vary field name the given header.
func varies(lines []string, name string) bool {
	for _, line := range lines {
		for element := range strings.SplitSeq(line, ",") {
			element = strings.TrimSpace(element)
			if element == "*" || strings.EqualFold(element, name) {
				return true
			}
		}
	}
	return false
}

var problemTypes = []string{ProblemType}

// WriteAnswer answers a rejected request with net/http: the fields of the
// answer, its status, the Content-Type application/problem+json and, unless the
// request's method is HEAD, the body.
func WriteAnswer(w http.ResponseWriter, r *http.Request, answer *Answer) {
	header := w.Header()
	answer.SetFields(header)
	header["Content-Type"] = problemTypes
	w.WriteHeader(answer.Problem.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(answer.Body) // the client may have disconnected
	}
}

// SetFields adds what the answer depends on to the Vary field of a response of
// net/http, and sets Content-Language if the answer has a language.
func (a *Answer) SetFields(header http.Header) {
	if len(a.Vary) > 0 {
		AddVary(header, a.Vary...)
	}
	if a.Language != "" {
		header["Content-Language"] = []string{a.Language}
	}
}
