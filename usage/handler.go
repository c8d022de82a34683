package usage

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
	"github.com/goverso/verso/core/source"
)

// formats are what the handler produces. A client without a preference gets JSON. Only
// the parameter format chooses openmetrics: Prometheus accepts every type.
var (
	formats    = []string{"json", "html", "csv", "openmetrics"}
	negotiator = verso.Must(mediatype.NewNegotiator("application/json", "text/html", "text/csv"))
)

// ServeHTTP serves what was counted.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Add("Vary", "Accept")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err = cmp.Or(err, p.checkKeys(query)); err != nil {
		http.Error(w, err.Error()+": use "+strings.Join(keys, ", "), http.StatusBadRequest)
		return
	}
	accepted, _ := negotiator.Negotiate(strings.Join(r.Header["Accept"], ", "))
	format := cmp.Or(query.Get("format"), formats[accepted.Index])
	level := cmp.Or(query.Get("level"), "full")
	switch {
	case !slices.Contains(formats, format):
		http.Error(w, fmt.Sprintf("unknown format %q: use html, json, csv or openmetrics", format), http.StatusBadRequest)
		return
	case level != "full" && level != "summary":
		http.Error(w, fmt.Sprintf("unknown level %q: use summary or full", level), http.StatusBadRequest)
		return
	}
	pins := p.pinned(r.Context(), cmp.Or(query.Get("ready"), query.Get("letters"), query.Get("clients")), query.Get("client"))
	if p.serveLean(w, r, query, pins, format, level) {
		return
	}
	in, err := p.Read(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	report := p.report(in, pins)
	switch {
	case query.Has("ready"):
		report.serveReady(w, query)
	case query.Has("letters"):
		p.serveLetters(w, &report, query, format)
	case format == "openmetrics":
		header.Set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
		_ = metrics.Execute(w, &report) // the client may have disconnected
	case query.Has("clients"):
		list, status, err := report.list(query)
		if err != nil {
			http.Error(w, err.Error(), status)
			return
		}
		write(w, format, report.Time, list, list.writeCSV, listPage, list)
	case query.Has("client"):
		p.serveClient(w, &report, query.Get("client"), format)
	default:
		if level == "summary" {
			report.summarize()
		}
		all := func(w io.Writer) error {
			return report.writeCSV(w, func(*versionReport, *movingClient) bool { return true })
		}
		write(w, format, report.Time, report, all, page, pageOf(report))
	}
}

// keys are what a query may have.
var keys = []string{"client", "clients", "except", "format", "letters", "level", "page", "q", "quiet", "ready", "state", "unknown", "at"}

// checkKeys refuses what is not a key: a gate with a typing error, such as ?raedy=v1, would
// get the page with status 200, and pass.
func (p *Page) checkKeys(query url.Values) error {
	for key, values := range query {
		switch {
		case slices.Contains(keys, key):
			if len(values) > 1 && key != "except" {
				return fmt.Errorf("parameter %q is given %d times", key, len(values))
			}
		case slices.Contains(p.Parameters, key):
		case p.Explain == nil || !p.reads(p.Explain().Source, key):
			return fmt.Errorf("unknown parameter %q", key)
		}
	}
	return nil
}

// reads reports whether a source reads a query parameter.
func (p *Page) reads(from source.Source, parameter string) bool {
	if from == nil {
		return false
	}
	written, _ := from.Write(source.Written{}, verso.V(p.Catalogue.Versions()[0]))
	name, _ := written.Query()
	return name == parameter && name != "" || slices.ContainsFunc(from.Describe().Parts, func(part source.Source) bool { return p.reads(part, parameter) })
}

// serveClient serves the page of a client.
func (p *Page) serveClient(w http.ResponseWriter, r *report, name, format string) {
	advice, ok := p.client(r, name)
	if !ok {
		http.Error(w, fmt.Sprintf("unknown client %q", name), http.StatusNotFound)
		return
	}
	write(w, format, r.Time, advice, advice.writeCSV, clientPage, advice)
}

// serveReady answers whether a version may end.
func (r *report) serveReady(w http.ResponseWriter, query url.Values) {
	version := query.Get("ready")
	at := slices.IndexFunc(r.Versions, func(v versionReport) bool { return v.Version == version && version != "" })
	if at < 0 {
		http.Error(w, fmt.Sprintf("unknown version %q", version), http.StatusNotFound)
		return
	}
	except, err := exceptionsOf(query)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ready := r.readiness(&r.Versions[at], except)
	ready.Version, ready.Time, ready.Since = version, r.Time, r.Since
	w.Header().Set("Content-Type", "application/json")
	if !ready.Ready {
		w.WriteHeader(http.StatusConflict)
	}
	_ = json.NewEncoder(w).Encode(ready) // the client may have disconnected
}

// summarize leaves out what single clients and routes did.
func (r *report) summarize() {
	for i := range r.Versions {
		v := &r.Versions[i]
		v.Clients, v.Days = nil, nil
	}
}

// write writes a response in a format.
func write(w http.ResponseWriter, format string, now time.Time, data any, writeCSV func(io.Writer) error, page *template.Template, view any) {
	header := w.Header()
	switch format {
	case "json":
		header.Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(data) // the client may have disconnected
	case "csv":
		header.Set("Content-Type", "text/csv; charset=utf-8")
		header.Set("Content-Disposition", `attachment; filename="usage-`+now.Format("2006-01-02")+`.csv"`)
		if writeCSV(w) != nil {
			panic(http.ErrAbortHandler) // a part must not look like the whole
		}
	default:
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Content-Security-Policy", contentSecurityPolicy)
		header.Set("Referrer-Policy", "no-referrer")
		_ = page.Execute(w, view)
	}
}

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var (
	templates = template.Must(template.New("page").Funcs(template.FuncMap{
		"strangers": func() int { return MaxRejected },
		"style":     func() template.CSS { return template.CSS(pageStyle) },
		"date":      date, "ends": ends, "number": number, "pieces": pieces, "minute": minute, "plural": plural, "printable": printable, "clock": clockText,
	}).Parse(pageText))
	page, clientPage, listPage = templates.Lookup("report"), templates.Lookup("client"), templates.Lookup("list")
)

// contentSecurityPolicy allows only the page's own style, and its search.
var contentSecurityPolicy = func() string {
	hash := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}()
