package migrate

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/mediatype"
)

//go:embed changelog.html
var changelogText string

//go:embed changelog.css
var changelogStyle string

var changelogPage = template.Must(template.New("changelog").Funcs(template.FuncMap{
	"style":  func() template.CSS { return template.CSS(changelogStyle) },
	"guides": guides,
}).Parse(changelogText))

// changelogPolicy is the Content-Security-Policy of the page: only its own style. A page with
// texts of many authors runs no script, whatever they contain.
var changelogPolicy = func() string {
	hash := sha256.Sum256([]byte(changelogStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// changelogTypes are what the handler produces. A client without a preference gets JSON.
var changelogTypes = verso.Must(mediatype.NewNegotiator("application/json", "text/html"))

// ChangelogHandler returns a handler that serves a browser the changelog as a page, without
// versions that are not released, with an entity tag. It serves other clients what versions
// serves: the handler of the catalogue. explain is the Explain of the adapter. The page is made
// again after a change of the explanation. Make the route version-neutral.
// It panics if versions is nil.
func (h *History) ChangelogHandler(explain func() *verso.Explanation, versions http.Handler) http.Handler {
	if versions == nil {
		panic(errors.New("migrate: the handler for other clients is nil: pass the handler of the catalogue"))
	}
	var mu sync.Mutex // requests that come together wait for one page
	var kept *keptPage
	current := func() *keptPage {
		mu.Lock()
		defer mu.Unlock()
		if kept == nil || !kept.explanation.IsCurrent() {
			explanation := explain()
			kept = newPage(h.Changelog(explanation), explanation)
		}
		return kept
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Add("Vary", "Accept")
		accepted, _ := changelogTypes.Negotiate(strings.Join(r.Header["Accept"], ", "))
		// A method that the page does not have gets the answer of the catalogue's handler.
		if accepted.Index == 0 || r.Method != http.MethodGet && r.Method != http.MethodHead {
			versions.ServeHTTP(w, r)
			return
		}
		page := current()
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Content-Security-Policy", changelogPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-cache")
		header.Set("ETag", page.tag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(page.body))
	})
}

// keptPage is the page of an explanation. Both take longer than a request should, and change
// with a date or a route.
type keptPage struct {
	explanation *verso.Explanation
	body        []byte
	tag         string // the entity tag
}

func newPage(c *Changelog, explanation *verso.Explanation) *keptPage {
	c.Versions = slices.DeleteFunc(c.Versions, func(v VersionChanges) bool {
		return v.State == catalogue.Unreleased.String()
	})
	var body bytes.Buffer
	_ = c.HTML(&body) // a buffer does not fail, and the template is tested
	sum := sha256.Sum256(body.Bytes())
	return &keptPage{explanation, body.Bytes(), fmt.Sprintf(`"%x"`, sum[:16])}
}

// HTML writes the changelog as a page. It returns the error of w.
func (c *Changelog) HTML(w io.Writer) error {
	// A template that fails half-way must not leave half a page.
	var page bytes.Buffer
	if err := changelogPage.Execute(&page, c); err != nil {
		return fmt.Errorf("migrate: the page: %w", err)
	}
	_, err := page.WriteTo(w)
	return err
}

// guides returns links without those that lead to the same page again.
func guides(links []catalogue.Link) (list []catalogue.Link) {
	for _, l := range links {
		if !slices.ContainsFunc(list, func(other catalogue.Link) bool { return other.Href == l.Href }) {
			list = append(list, l)
		}
	}
	return list
}
