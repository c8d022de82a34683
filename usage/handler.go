package usage

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
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
// the parameter format chooses jsonl, and openmetrics: Prometheus accepts every type.
var (
	formats    = []string{"json", "html", "csv", "openmetrics", "jsonl"}
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
	if err := p.serve(w, r); err != nil {
		var refused refusal
		errors.As(err, &refused)
		http.Error(w, err.Error(), cmp.Or(refused.status, http.StatusServiceUnavailable))
	}
}

// serve answers a request, or returns an error.
func (p *Page) serve(w http.ResponseWriter, req *http.Request) error {
	if p.Catalogue == nil || p.Clock == nil || p.Open == nil {
		return refuse(http.StatusInternalServerError, "usage: a Page needs its Catalogue, its Clock and Open: set them")
	}
	query, err := url.ParseQuery(req.URL.RawQuery)
	if err = cmp.Or(err, p.checkKeys(query)); err != nil {
		return refuse(http.StatusBadRequest, "%w", err)
	}
	accepted, _ := negotiator.Negotiate(strings.Join(req.Header["Accept"], ", "))
	format := cmp.Or(query.Get("format"), formats[accepted.Index])
	level := cmp.Or(query.Get("level"), "full")
	if err := p.checkValues(query, format, level); err != nil {
		return err
	}
	ctx := req.Context()
	// a day is not a version
	pins := p.pinned(ctx, cmp.Or(query.Get("ready"), query.Get("letters"), query.Get("clients"), query.Get("at")),
		query.Get("client"))
	reader, err := p.Open(ctx)
	if err != nil {
		return err
	}
	defer reader.Close()
	which := ""
	for _, key := range []string{"client", "clients", "letters", "ready", "at"} {
		if query.Has(key) && (format != "openmetrics" || !strings.HasPrefix(key, "client")) {
			which = key
		}
	}
	wanted := (*versionReport).moves // whose clients are read
	switch {
	case which == "client":
		return p.serveClient(ctx, w, reader, pins, query.Get(which), format)
	case which == "at":
		wanted = func(*versionReport) bool { return false }
	case which == "letters", which == "clients" && format == "csv",
		which == "" && format != "html" && format != "openmetrics":
		return p.serveLong(ctx, w, reader, pins, query, format)
	case which != "":
		wanted = func(v *versionReport) bool { return v.Version == query.Get(which) }
	}
	r, err := p.report(ctx, reader, pins, wanted)
	if err != nil {
		return err
	}
	switch which {
	case "at":
		return serveAt(w, &r, query.Get(which))
	case "ready":
		return serveReady(w, &r, query)
	case "clients":
		return serveList(w, &r, query, format)
	}
	for i := range r.Versions {
		if v := &r.Versions[i]; v.Moving != nil && r.knowsPins(v) {
			if v.Ready, err = readinessOf(&r, v, noExceptions); err != nil {
				return err
			}
		}
	}
	if format == "html" {
		if err := nameShown(&r); err != nil {
			return err
		}
		return write(w, format, &r, pageOf(r), nil, page)
	}
	return write(w, format, &r, nil, nil, nil)
}

// serveLong answers with a line for each client, while it reads them: to hold all takes much memory.
func (p *Page) serveLong(ctx context.Context, w http.ResponseWriter, reader Reader, pins map[string]*pins,
	query url.Values, format string) error {
	r, err := p.begin(ctx, reader, pins, nil)
	switch {
	case err != nil:
		return err
	case query.Has("letters"):
		return serveLetters(w, &r, pins, query, format)
	case query.Has("clients"):
		list, err := listOf(&r, query)
		if err != nil {
			return err
		}
		return write(w, format, &r, nil, func(w io.Writer) error {
			return writeCSV(&r, w, pins, list.has, list.of)
		}, nil)
	case format == "jsonl":
		return serveExport(&r, w, pins, query.Get("after"))
	}
	return write(w, format, &r, stream(func(w io.Writer) error {
		return writeJSON(&r, w, pins, query.Get("level") == "summary")
	}), func(w io.Writer) error {
		return writeCSV(&r, w, pins, func(*movingClient) bool { return true }, r.all()...)
	}, nil)
}

// checkValues refuses values that have no meaning, and parameters without the one that they belong to.
func (p *Page) checkValues(query url.Values, format, level string) error {
	day := query.Get("at")
	_, notDay := time.Parse(time.DateOnly, day)
	switch {
	case !slices.Contains(formats, format):
		return refuse(http.StatusBadRequest, "unknown format %q: use html, json, csv, jsonl or openmetrics", format)
	case level != "full" && level != "summary":
		return refuse(http.StatusBadRequest, "unknown level %q: use summary or full", level)
	case !query.Has("ready") && (query.Has("except") || query.Has("unknown") || query.Has("quiet")):
		return refuse(http.StatusBadRequest, "except, unknown and quiet are for the gate: add ready=, with the version")
	case query.Has("after") && format != "jsonl":
		return refuse(http.StatusBadRequest, "after is for all counts: add format=jsonl")
	case format == "jsonl" && !query.Has("letters") && (query.Has("ready") || query.Has("client") || query.Has("clients") || query.Has("at")):
		return refuse(http.StatusBadRequest, "format=jsonl has all counts: leave out the other parameters, or add letters=, with the version")
	case query.Has("since") && !query.Has("letters"):
		return refuse(http.StatusBadRequest, "since is for letters: add letters=, with the version")
	case query.Has("at") && (notDay != nil || len(query) > 2 || len(query) == 2 && !query.Has("format")):
		return refuse(http.StatusBadRequest, "at=%q: write a day, such as %s, and no other parameter but format", day,
			p.Clock().UTC().Format(time.DateOnly))
	}
	return nil
}

// serveList serves the clients of a version.
func serveList(w http.ResponseWriter, r *report, query url.Values, format string) error {
	list, err := listOf(r, query)
	if err != nil {
		return err
	}
	for _, c := range list.of.Moving.Clients {
		if list.has(c) {
			list.Clients = append(list.Clients, c)
		}
	}
	shown := list.Clients
	if format == "html" {
		shown = list.Shown()
	}
	if err := nameRoutes(r, list.of, shown); err != nil {
		return err
	}
	return write(w, format, r, list, nil, listPage)
}

// keys are what a query may have.
var keys = []string{"client", "clients", "except", "format", "letters", "level", "page", "q", "quiet", "ready", "since", "state",
	"unknown", "at", "after"}

// checkKeys refuses what is not a key: a gate with a typing error, such as ?raedy=v1, would
// get the page with status 200, and pass.
func (p *Page) checkKeys(query url.Values) error {
	for key, values := range query {
		switch {
		case slices.Contains(keys, key):
			if len(values) > 1 && key != "except" {
				return fmt.Errorf("parameter %q is given %d times: give it once", key, len(values))
			}
		case slices.Contains(p.Parameters, key):
		case p.Explain == nil || !p.reads(p.Explain().Source, key):
			return fmt.Errorf("unknown parameter %q: use %s", key, strings.Join(keys, ", "))
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
	return name == parameter && name != "" || slices.ContainsFunc(from.Describe().Parts,
		func(part source.Source) bool { return p.reads(part, parameter) })
}

// serveClient serves the page of a client.
func (p *Page) serveClient(ctx context.Context, w http.ResponseWriter, reader Reader, pins map[string]*pins, name,
	format string) error {
	r, err := p.report(ctx, reader, pins, func(*versionReport) bool { return true }, name)
	if err != nil {
		return err
	}
	advice, ok, err := adviceOf(&r, name)
	switch {
	case err != nil:
		return err
	case !ok:
		return refuse(http.StatusNotFound, "unknown client %q", name)
	}
	return write(w, format, &r, advice, advice.writeCSV, clientPage)
}

// serveAt answers how many clients were left on an earlier day.
func serveAt(w http.ResponseWriter, r *report, day string) error {
	found := []Left{}
	for i := range r.Versions {
		found = append(found, slices.DeleteFunc(slices.Clone(r.Versions[i].Left),
			func(l Left) bool { return l.Day != day })...)
	}
	if len(found) == 0 {
		return refuse(http.StatusNotFound, "nothing was recorded on %s", day)
	}
	answer := map[string]any{"day": day, "versions": found}
	if r.pinned {
		answer["note"] = "Of what is pinned, only the number is recorded: the pins themselves are those of now."
	}
	return write(w, "json", r, answer, nil, nil)
}

// serveReady answers whether a version may end.
func serveReady(w http.ResponseWriter, r *report, query url.Values) error {
	version := query.Get("ready")
	at := slices.IndexFunc(r.Versions, func(v versionReport) bool { return v.Version == version && version != "" })
	if at < 0 {
		return refuse(http.StatusNotFound, "unknown version %q", version)
	}
	except, err := exceptionsOf(query)
	if err != nil {
		return refuse(http.StatusBadRequest, "%w", err)
	}
	ready, err := readinessOf(r, &r.Versions[at], except)
	if err != nil {
		return err
	}
	ready.Version, ready.Time, ready.Since = version, r.Time, r.Since
	if err := nameCalled(r, &r.Versions[at], ready.Clients); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	if !ready.Ready {
		w.WriteHeader(http.StatusConflict)
	}
	_ = json.NewEncoder(w).Encode(ready) // the client may have disconnected
	return nil
}

// write writes a response in a format: JSON and a page of the data, or a CSV.
func write(w http.ResponseWriter, format string, r *report, data any, writeCSV func(io.Writer) error,
	page *template.Template) error {
	header := w.Header()
	switch format {
	case "json":
		header.Set("Content-Type", "application/json")
		if long, ok := data.(stream); ok {
			return long.send(w)
		}
		_ = json.NewEncoder(w).Encode(data) // the client may have disconnected
	case "csv":
		header.Set("Content-Type", "text/csv; charset=utf-8")
		header.Set("Content-Disposition", `attachment; filename="usage-`+r.Time.Format("2006-01-02")+`.csv"`)
		return stream(writeCSV).send(w)
	case "openmetrics":
		header.Set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
		_ = metrics.Execute(w, r)
	default:
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Content-Security-Policy", contentSecurityPolicy)
		header.Set("Referrer-Policy", "no-referrer")
		_ = page.Execute(w, data)
	}
	return nil
}

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var (
	templates = template.Must(template.New("page").Funcs(template.FuncMap{
		"strangers": func() int { return MaxRejected },
		"style":     func() template.CSS { return template.CSS(pageStyle) },
		"date":      date, "ends": ends, "number": number, "pieces": pieces, "minute": minute, "plural": plural,
		"printable": printable, "clock": clockText, "exception": exceptionText,
	}).Parse(pageText))
	page, clientPage, listPage = templates.Lookup("report"), templates.Lookup("client"), templates.Lookup("list")
)

// contentSecurityPolicy allows only the page's own style, and its search.
var contentSecurityPolicy = func() string {
	hash := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}()
