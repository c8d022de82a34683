package usage

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
)

// formats are what the handler produces. A client without a preference gets JSON.
var (
	formats    = []string{"json", "html", "csv"}
	negotiator = verso.Must(mediatype.NewNegotiator("application/json", "text/html", "text/csv"))
)

// Handler returns a handler that serves the counts: a page for browsers, JSON for
// other clients, CSV for spreadsheets. The query parameter "format" ("html", "json"
// or "csv") wins over the Accept header; any other value is rejected with 400. The
// page has no script and loads nothing; its Content-Security-Policy allows only its
// own style.
//
// The response names your clients: protect it with your authentication, and make the
// route neutral.
func (t *Table) Handler() http.Handler {
	return http.HandlerFunc(t.serve)
}

func (t *Table) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Add("Vary", "Accept")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	accepted, _ := negotiator.Negotiate(strings.Join(r.Header["Accept"], ", "))
	switch format := cmp.Or(r.URL.Query().Get("format"), formats[accepted.Index]); format {
	case "json":
		header.Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(t.report()) // the client may have disconnected
	case "csv":
		report := t.report()
		header.Set("Content-Type", "text/csv; charset=utf-8")
		header.Set("Content-Disposition", `attachment; filename="usage-`+report.Time.Format("2006-01-02")+`.csv"`)
		_ = report.writeCSV(w)
	case "html":
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Content-Security-Policy", contentSecurityPolicy)
		header.Set("Referrer-Policy", "no-referrer")
		_ = page.Execute(w, pageOf(t.report()))
	default:
		http.Error(w, fmt.Sprintf("unknown format %q: use html, json or csv", format), http.StatusBadRequest)
	}
}

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(pageStyle) },
	"date":  date, "ends": ends, "number": number, "pieces": pieces,
}).Parse(pageText))

// contentSecurityPolicy allows only the page's own style.
var contentSecurityPolicy = func() string {
	hash := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()
