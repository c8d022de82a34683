package params

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
)

// Spelled are parameters of a query or a form; SpelledFields are those of a header.
type Spelled struct {
	OrderBy string   `query:"sorting" form:"sorting"`
	State   string   `query:"state" form:"state"`
	Labels  []string `query:"labels" form:"labels"`
	Kinds   []string `query:"kinds" form:"kinds"`
	Limit   int      `query:"limit" form:"limit"`
	Plan    string   `query:"plan" form:"plan"`
	IDs     []string `query:"id[]" form:"id[]"`
	Pages   []string `query:"pages" form:"pages" collection_format:"csv"`
}

type SpelledFields struct {
	Order  string   `header:"X-Sorting"`
	State  string   `header:"X-State"`
	Labels []string `header:"X-Labels"`
	Kinds  []string `header:"X-Kinds"`
	Limit  int      `header:"X-Limit"`
	Plan   string   `header:"X-Plan"`
	Pages  []string `header:"X-Pages" collection_format:"csv"`
}

var states = map[string]string{"on": "active", "off": "idle"}

func spelledHistory(api *verso.Versioning) *migrate.History {
	return verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x",
		migrate.For[Spelled](migrate.Renamed("sort", "sorting"), migrate.Values("state", states), migrate.Renamed("tags", "labels"), migrate.Values("kinds", states),
			migrate.Default("limit", 10), migrate.Added("plan"), migrate.Values("pages", states)),
		migrate.For[SpelledFields](migrate.Renamed("X-Sort", "X-Sorting"), migrate.Values("X-State", states), migrate.Renamed("X-Tags", "X-Labels"), migrate.Values("X-Kinds", states),
			migrate.Default("X-Limit", 10), migrate.Added("X-Plan"), migrate.Values("X-Pages", states)))),
		migrate.Release("v1")))
}

// spelled has handlers that write what the binder of their framework reads.
func spelled(splitting bool) (*verso.Versioning, frameworks.App) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history := spelledHistory(api)
	show := func(place string, fresh func() any) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			into := fresh()
			switch bind := frameworks.Of(r).Bind; {
			case bind != nil:
				if err := bind[place](into); err != nil {
					http.Error(w, err.Error(), http.StatusBadRequest)
					return
				}
				_, _ = fmt.Fprintf(w, "%+v", into)
			// net/http has no binder: a service reads names as they are.
			case place == "header":
				_, _ = fmt.Fprint(w, r.Header.Get("X-Sorting"), r.Header.Get("X-State"), r.Header["X-Labels"], r.Header["X-Kinds"], r.Header.Get("X-Limit"), r.Header.Get("X-Plan"), r.Header["X-Pages"])
			default:
				_ = r.ParseMultipartForm(1 << 20)
				f := r.Form
				_, _ = fmt.Fprint(w, f.Get("sorting"), f.Get("state"), f["labels"], f["kinds"], f.Get("limit"), f.Get("plan"), f["id[]"], f["pages"])
			}
		}
	}
	params, headers := func() any { return new(Spelled) }, func() any { return new(SpelledFields) }
	return api, frameworks.App{Fiber: fiber.Config{EnableSplittingOnParsers: splitting}, Routes: []frameworks.Route{
		{Method: http.MethodGet, Path: "/query", Rewriter: history.Route(migrate.Query[Spelled]()), Handle: show("query", params)},
		{Method: http.MethodPost, Path: "/form", Rewriter: history.Route(migrate.Form[Spelled]()), Handle: show("form", params)},
		{Method: http.MethodGet, Path: "/header", Rewriter: history.Route(migrate.Headers[SpelledFields]()), Handle: show("header", headers)},
	}}
}

// spellings are ways in which a client may write a name.
var spellings = map[string]func(name string) string{
	"plain":             func(n string) string { return n },
	"upper case":        strings.ToUpper,
	"first letter":      func(n string) string { return strings.ToUpper(n[:1]) + n[1:] },
	"another fold":      func(n string) string { return strings.NewReplacer("s", "\u017f", "k", "\u212a").Replace(n) },
	"brackets":          func(n string) string { return n + "[]" },
	"two brackets":      func(n string) string { return n + "[][]" },
	"inside":            func(n string) string { return n[:2] + "[]" + n[2:] },
	"before":            func(n string) string { return "[]" + n },
	"upper and inside":  func(n string) string { return strings.ToUpper(n[:2] + "[]" + n[2:]) },
	"a number":          func(n string) string { return n + "[0]" },
	"in brackets":       func(n string) string { return "[" + n + "]" },
	"a part":            func(n string) string { return n[:2] + "[" + n[2:] + "]" },
	"nested brackets":   func(n string) string { return n + "[[]]" },
	"open":              func(n string) string { return n + "[" },
	"closed":            func(n string) string { return n + "]" },
	"closed before":     func(n string) string { return n[:2] + "][" + n[2:] },
	"a point":           func(n string) string { return n + "." },
	"a point before":    func(n string) string { return "." + n },
	"a number, pointed": func(n string) string { return n + ".0" },
	"a space":           func(n string) string { return n + " " },
	"the type":          func(n string) string { return "Spelled." + n },
}

// TestSpellings: what a client of v1 sends under an older name, the binder reads as it reads the
// newer name in v2; and no spelling of a name that v1 does not have reaches it.
func TestSpellings(t *testing.T) {
	for _, splitting := range []bool{false, true} {
		for framework, serve := range frameworks.All {
			if splitting && framework != "fiber" {
				continue
			}
			service := serve(spelled(splitting))
			for _, place := range []string{"query", "urlencoded", "multipart", "header"} {
				for spelling, spell := range spellings {
					if place == "header" && strings.ContainsAny(spell("states"), "[] .\u017f") { // no name of a field
						continue
					}
					t.Run(fmt.Sprint(framework, "/", place, "/", spelling, "/", splitting), func(t *testing.T) {
						ask := func(version string, pairs ...[2]string) string {
							return bound(t, service, place, version, pairs...)
						}
						spell := func(name string) string {
							if place == "header" {
								name = "X-" + strings.ToUpper(name[:1]) + name[1:]
							}
							return spell(name)
						}
						limit := [2]string{spell("limit"), "7"}
						plain := [2]string{"limit", "10"}
						if place == "header" {
							plain[0] = "X-Limit"
						}
						for _, test := range []struct {
							name     string
							old, now [][2]string
						}{
							{"renamed", [][2]string{{spell("sort"), "a"}}, [][2]string{{spell("sorting"), "a"}}},
							{"values", [][2]string{{spell("state"), "on"}}, [][2]string{{spell("state"), "active"}}},
							{"values, twice", [][2]string{{spell("state"), "on"}, {spell("state"), "off"}}, [][2]string{{spell("state"), "active"}, {spell("state"), "idle"}}},
							{"a list", [][2]string{{spell("tags"), "a"}, {spell("tags"), "b,c"}}, [][2]string{{spell("labels"), "a"}, {spell("labels"), "b,c"}}},
							{"values of a list", [][2]string{{spell("kinds"), "on"}, {spell("kinds"), "off"}}, [][2]string{{spell("kinds"), "active"}, {spell("kinds"), "idle"}}},
							{"a list in csv", [][2]string{{spell("pages"), "on,off"}}, [][2]string{{spell("pages"), map[bool]string{true: "active,idle", false: "on,off"}[splitting || framework == "gin"]}}},
							{"newer", [][2]string{{spell("plan"), "admin"}}, nil},
							{"newer, twice", [][2]string{{"x", "y"}, {spell("plan"), "admin"}, {spell("plan"), "gold"}}, [][2]string{{"x", "y"}}},
							{"newer, renamed", [][2]string{{spell("sorting"), "a"}}, nil},
						} {
							// The default is told apart below.
							old, now := slices.Concat(test.old, [][2]string{plain}), slices.Concat(test.now, [][2]string{plain})
							want, got := ask("v2", now...), ask("v1", old...)
							if strings.HasPrefix(got, "400 ") && strings.Contains(got, "unmatched brackets") { // of Fiber, in v1 alone if there is nothing in v2
								want = got
							}
							assert.Equal(t, want, got, "%s: %q", test.name, test.old)
						}
						want := ask("v2", limit)
						if want == ask("v2") { // the binder does not know it
							want = ask("v2", limit, plain)
						}
						assert.Equal(t, want, ask("v1", limit), "a default")
						if place != "header" {
							assert.Equal(t, ask("v2", [2]string{"id[]", "1"}, plain), ask("v1", [2]string{"id[]", "1"}, plain), "a name with brackets")
						}
					})
				}
			}
		}
	}
}

// bound returns what the handler's binder has read of parameters.
func bound(t *testing.T, service http.Handler, place, version string, pairs ...[2]string) string {
	t.Helper()
	values := make([]string, 0, len(pairs))
	for _, pair := range pairs {
		values = append(values, url.QueryEscape(pair[0])+"="+url.QueryEscape(pair[1]))
	}
	method, path, contentType, body := http.MethodGet, "/"+place, "", new(bytes.Buffer)
	switch place {
	case "query":
		path += "?" + strings.Join(values, "&")
	case "urlencoded":
		method, path, contentType, body = http.MethodPost, "/form", "application/x-www-form-urlencoded", bytes.NewBufferString(strings.Join(values, "&"))
	case "multipart":
		parts := multipart.NewWriter(body)
		for _, pair := range pairs {
			require.NoError(t, parts.WriteField(pair[0], pair[1]))
		}
		require.NoError(t, parts.Close())
		method, path, contentType = http.MethodPost, "/form", parts.FormDataContentType()
	}
	r := httptest.NewRequest(method, path, body)
	r.Header.Set("Api-Version", version)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for _, pair := range pairs {
		if place == "header" {
			r.Header[http.CanonicalHeaderKey(pair[0])] = append(r.Header[http.CanonicalHeaderKey(pair[0])], pair[1])
		}
	}
	w := httptest.NewRecorder()
	service.ServeHTTP(w, r)
	return fmt.Sprint(w.Code, " ", w.Body)
}
