package usage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"

	"github.com/goverso/verso/core/mediatype"
)

// formats are what the handler produces. A client without a preference gets JSON.
var formats = func() *mediatype.Negotiator {
	n, err := mediatype.NewNegotiator("application/json", "text/html")
	if err != nil {
		panic(err)
	}
	return n
}()

// Handler serves what was counted: a page to browsers, JSON to other clients. The
// query parameter "format", with "html" or "json", counts more than the Accept
// header. The page needs no script and loads nothing; its
// Content-Security-Policy allows its own style only.
//
// It names your clients: put it behind your authentication, and make its route
// neutral.
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
	format := r.URL.Query().Get("format")
	if format == "" {
		format = "json"
		if accepted, ok := formats.Negotiate(strings.Join(r.Header["Accept"], ", ")); ok && accepted.Index == 1 {
			format = "html"
		}
	}
	if format == "json" {
		header.Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(t.report()) // the client may have disconnected
		return
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", contentSecurityPolicy)
	header.Set("Referrer-Policy", "no-referrer")
	_ = page.Execute(w, pageOf(t.report()))
}

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"style": func() template.CSS { return template.CSS(pageStyle) }}).Parse(pageText))

// contentSecurityPolicy allows the page's own style, and nothing else.
var contentSecurityPolicy = func() string {
	hash := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()
