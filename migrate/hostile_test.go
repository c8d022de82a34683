package migrate_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// TestEmptyTexts: encoding/json reads "" and null as a missing text, so an older client cannot
// set by them what only newer versions have.
func TestEmptyTexts(t *testing.T) {
	h := papers(t)
	route := h.Route(migrate.Accepts[[]paper]())
	for in, want := range map[string]string{
		`[{"name":"x"}]`:             `[{"title":"x"}]`,
		`[{"type":"","name":"x"}]`:   `[{"type":"","title":"x"}]`,
		`[{"type":null,"name":"x"}]`: `[{"type":null,"title":"x"}]`,
		`[{"type":"A4","name":"x"}]`: `[{"type":"A4","name":"x"}]`, // another text, which stays
	} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(in))
		r.Header.Set("Content-Type", "application/json")
		_, err := route.Begin(verso.V("v2"), httptest.NewRecorder(), r)
		assert.NoError(t, err, in)
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err, in)
		assert.Equal(t, want, string(body), in)
	}
}

// TestJSONSentAsAForm: a handler may decode JSON whatever its type is.
func TestJSONSentAsAForm(t *testing.T) {
	type form struct {
		Name string `form:"name"`
	}
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[sheet](migrate.Renamed("name", "title")),
		migrate.For[form](migrate.Renamed("title", "name")))), migrate.Release("v1")))
	for _, parts := range [][]migrate.Body{
		{migrate.Accepts[sheet](), migrate.Form[form]()},
		{migrate.Accepts[sheet](), migrate.Form[form](), migrate.AnyType()},
	} {
		route := h.Route(parts...)
		for body, refused := range map[string]bool{`{"name":"x"}`: true, "\t[{\"name\":\"x\"}]": true, "title=x": false, "": false} {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			_, err := route.Begin(verso.V("v1"), httptest.NewRecorder(), r)
			assert.Equal(t, refused, err != nil, "%q: %v", body, err)
			if refused {
				assert.Equal(t, http.StatusUnsupportedMediaType, verso.AnswerFor(err).Problem.Status)
			}
		}
	}
}

// TestParsedMultipart: what a middleware has parsed of a form, which only the query declares, is read
// as a form that comes unparsed.
func TestParsedMultipart(t *testing.T) {
	type filter struct {
		Name  string `form:"name"`
		State string `form:"state"`
		Plan  string `form:"plan"`
	}
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[filter](migrate.Renamed("title", "name"),
		migrate.Values("state", map[string]string{"on": "active"}), migrate.Added("plan")))), migrate.Release("v1")))
	route := h.Route(migrate.Query[filter]())
	const body = "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name=\"state\"\r\n\r\non\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"plan\"\r\n\r\nadmin\r\n--b--\r\n"
	for _, parsed := range []bool{false, true} {
		r := httptest.NewRequest(http.MethodPost, "/?q=1", strings.NewReader(body))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		if parsed {
			assert.NoError(t, r.ParseMultipartForm(1<<20))
		}
		_, err := route.Begin(verso.V("v1"), httptest.NewRecorder(), r)
		assert.NoError(t, err)
		assert.Equal(t, []string{"x", "active", "", "1"}, []string{r.FormValue("name"), r.PostFormValue("state"), r.FormValue("plan"), r.FormValue("q")}, parsed)
		assert.Equal(t, []string{"active"}, r.MultipartForm.Value["state"][:1], parsed)
	}
}

// TestDefaultBesideAForm: a binder that ignores case prefers the exact name, which the default in the query has.
func TestDefaultBesideAForm(t *testing.T) {
	type filter struct {
		Limit int `form:"limit"`
	}
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[filter](migrate.Default("limit", 10)))), migrate.Release("v1")))
	route := h.Route(migrate.Query[filter](), migrate.Form[filter]()).ForBinder(verso.Binder{IgnoresCase: true})
	for in, want := range map[string][]string{"LIMIT=3": {"3", "10"}, "limit=3": {"3", "10"}, "": {"10", "10"}} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(in))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		_, err := route.Begin(verso.V("v1"), httptest.NewRecorder(), r)
		assert.NoError(t, err, in)
		assert.NoError(t, r.ParseForm(), in)
		assert.Equal(t, want, r.Form["limit"], in)
	}
}
