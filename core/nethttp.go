package verso

import (
	"net/http"
	"strings"

	"github.com/goverso/verso/core/route"
)

// SetHTTP makes r the request of a framework over net/http. of is the framework's own
// request, which [Router] gets. matched is the matched route, nil if it is not known.
func (r *Request) SetHTTP(request *http.Request, of any, matched *route.Route) {
	r.method, r.http, r.facts, r.router, r.of, r.route = request.Method, request, nil, nil, of, matched
}

// fieldOf returns a header with its lines joined. A single line, the usual case, is
// returned as it is.
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

// SetFields writes the response fields of the decision into the header of a response
// of net/http: see [Call.Fields].
func (c *Call) SetFields(header http.Header) {
	if c.vary != nil {
		if len(header["Vary"]) == 0 {
			header["Vary"] = c.vary.field.Lines // without spare capacity: Header.Add copies it
		} else {
			AddVary(header, c.vary.names...)
		}
	}
	if c.lists == nil {
		return
	}
	c.Fields(func(field Field, mode Mode) {
		if mode != JoinField { // Vary is written above
			header[field.Name] = mode.Join(header[field.Name], field.Lines)
		}
	})
}

// AddVary adds names to the Vary field of a response of net/http: see [JoinVary].
// Use it in handlers as well: header.Set("Vary", ...) removes what Verso wrote.
func AddVary(header http.Header, names ...string) {
	if lines := JoinVary(header["Vary"], names...); len(lines) > 0 {
		header["Vary"] = lines
	}
}

var problemTypes = []string{ProblemType}

// WriteAnswer writes the response to a rejected request with net/http: the headers and
// the status of the answer, the Content-Type application/problem+json and, unless the
// method of the request is HEAD, the body.
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
