package rewrite_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
)

// rewriting has one route that is rewritten.
func rewriting(method string, rewriter verso.Rewriter, write http.HandlerFunc) frameworks.App {
	return frameworks.App{Routes: []frameworks.Route{{Method: method, Path: "/{$}", Rewriter: rewriter, Handle: write}}}
}

// TestKinds writes each kind of response with each declaration, whole and byte by byte, in
// each framework. want is the body in v1, or "500"; v2 gets what the handler wrote.
func TestKinds(t *testing.T) {
	const newest, older = `{"id":1,"email":"a"}`, `{"id":1,"mail":"a"}`
	const isJSON, isText, isCSV, isEvents, isLines = "application/json", "text/plain", "text/csv", "text/event-stream", "application/jsonl"
	returns := []migrate.Body{migrate.Returns[User]()}
	with := func(more ...migrate.Body) []migrate.Body { return slices.Concat(returns, more) }
	for _, test := range []struct {
		name       string
		route      []migrate.Body
		status     int
		kind, body string
		want       string
	}{
		{"the type", returns, 200, isJSON, newest, older},
		{"null", returns, 200, isJSON, "null", "null"},
		{"an empty object", returns, 200, isJSON, "{}", "{}"},
		{"an unknown member", returns, 200, isJSON, `{"id":1,"email":"a","x":1.50}`, `{"id":1,"mail":"a","x":1.50}`},
		{"a list", returns, 200, isJSON, "[" + newest + "]", "500"},
		{"another struct", returns, 200, isJSON, `{"user":` + newest + `}`, "500"},
		{"a string", returns, 200, isJSON, `"email"`, "500"},
		{"no type, JSON", returns, 200, "", " \n" + newest, " \n" + older},
		{"text/json", returns, 200, "text/json", newest, older},
		{"text that is JSON", returns, 200, isText, newest, "500"},
		{"text that passes", with(migrate.Passes(isText)), 200, isText, "ok", "ok"},
		{"CSV", returns, 200, isCSV, "id,email\n1,a\n", "500"},
		{"CSV that passes", with(migrate.Passes(isCSV)), 200, isCSV, "id,email\n1,a\n", "id,email\n1,a\n"},
		{"lines", returns, 200, isLines, newest + "\n" + newest + "\n", older + "\n" + older + "\n"},
		{"events", returns, 200, isEvents, "id: 1\ndata: " + newest + "\n\n", "id: 1\ndata: " + older + "\n\n"},
		{"an event that is no JSON", returns, 200, isEvents, "data: [DONE]\n\n", "500"},
		{"an event that passes", with(migrate.PassesEvent("", "[DONE]")), 200, isEvents, "data: [DONE]\n\n", "data: [DONE]\n\n"},
		{"a redirect", returns, 302, "text/html", "<a>", "<a>"},
		{"an error that is text", returns, 404, isText, "no", "no"},
		{"an error that is not declared", returns, 404, isJSON, `{"code":7}`, `{"code":7}`},
		{"an error in the newest form", returns, 404, isJSON, newest, "500"},
		{"an error that is declared", with(migrate.Fails[Failure](verso.ProblemType)), 404, verso.ProblemType, `{"status":404,"detail":"no"}`, `{"error":"no"}`},
		{"no Returns", []migrate.Body{migrate.Accepts[User]()}, 200, isJSON, newest, newest},
		{"nothing declared", nil, 200, isJSON, newest, newest},
	} {
		for framework, newService := range frameworks.All {
			for _, pieces := range []bool{false, true} {
				name := test.name + "/" + framework
				if pieces {
					name += "/byte by byte"
				}
				t.Run(name, func(t *testing.T) {
					api := api()
					service := newService(api, rewriting(http.MethodGet, historyOf(api).Route(test.route...), func(w http.ResponseWriter, _ *http.Request) {
						if test.kind != "" {
							w.Header().Set("Content-Type", test.kind)
						}
						w.WriteHeader(test.status)
						for text := test.body; text != ""; {
							n := len(text)
							if pieces {
								n = 1
							}
							_, _ = io.WriteString(w, text[:n])
							text = text[n:]
						}
					}))
					for version, want := range map[string]string{"v1": test.want, "v2": test.body} {
						w := frameworks.Ask(service, http.MethodGet, "/", nil, "Api-Version", version)
						if want == "500" {
							assert.Equal(t, 500, w.Code, w.Body.String())
							assert.NotContains(t, w.Body.String(), "email")
							continue
						}
						require.Equal(t, test.status, w.Code, w.Body.String())
						assert.Equal(t, strings.TrimSpace(want), strings.TrimSpace(w.Body.String()), version)
					}
				})
			}
		}
	}
}

// TestUnversioned: a client that does not ask for a version gets the newest form.
func TestUnversioned(t *testing.T) {
	const newest = `{"id":1,"email":"a"}`
	for framework, newService := range frameworks.All {
		t.Run(framework, func(t *testing.T) {
			api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, AllowUnversioned: true})
			service := newService(api, rewriting(http.MethodGet, routeOf(api), func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, newest)
			}))
			w := frameworks.Ask(service, http.MethodGet, "/", nil)
			assert.Equal(t, 200, w.Code)
			assert.Equal(t, newest, w.Body.String())
		})
	}
}

// TestProblemsHaveTheStatus: where an older version has another status, problem details have
// it too.
func TestProblemsHaveTheStatus(t *testing.T) {
	problem, whole := []migrate.Body{migrate.Fails[verso.Problem](verso.ProblemType)}, strings.Repeat("x", 300<<10)
	for _, test := range []struct {
		name             string
		route            []migrate.Body
		kind, body, want string
	}{
		{"declared", problem, verso.ProblemType, `{"title":"a","status": 422}`, `{"title":"a","status": 400}`},
		{"not declared", nil, verso.ProblemType, `{"status":422,"more":[{"status":422}]}`, `{"status":400,"more":[{"status":422}]}`},
		{"first a long member", problem, verso.ProblemType, `{"detail":"` + whole + `","status":422}`, `{"detail":"` + whole + `","status":400}`},
		{"another status", problem, verso.ProblemType, `{"status":409}`, `{"status":409}`},
		{"none", problem, verso.ProblemType, `{"title":"a"}`, `{"title":"a"}`},
		{"a text", nil, verso.ProblemType, `{"status":"422"}`, `{"status":"422"}`},
		{"a list", nil, verso.ProblemType, `[422]`, `[422]`},
		{"not JSON", nil, verso.ProblemType, `{"status":422`, `{"status":400`},
		{"other JSON", nil, "application/json", `{"status":422}`, `{"status":422}`},
	} {
		for framework, newService := range frameworks.All {
			for _, flushes := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/flushes %t", test.name, framework, flushes), func(t *testing.T) {
					api, rejected := api(), migrate.Behaves("An order without lines has status 422.")
					history, err := migrate.New(api, migrate.Release("v2", rejected), migrate.Release("v1"))
					require.NoError(t, err)
					service := newService(api, rewriting(http.MethodGet, history.Route(append(test.route, rejected.Status(400, 422))...), func(w http.ResponseWriter, _ *http.Request) {
						w.Header().Set("Content-Type", test.kind)
						w.WriteHeader(http.StatusUnprocessableEntity)
						half := len(test.body) / 2
						_, _ = io.WriteString(w, test.body[:half])
						if flushes {
							_ = http.NewResponseController(w).Flush()
						}
						_, _ = io.WriteString(w, test.body[half:])
					}))
					for version, want := range map[string]string{"v1": "400 " + test.want, "v2": "422 " + test.body} {
						w := frameworks.Ask(service, http.MethodGet, "/", nil, "Api-Version", version)
						if got := fmt.Sprint(w.Code, " ", w.Body); got != want {
							t.Errorf("%s: %.80q instead of %.80q", version, got, want)
						}
					}
				})
			}
		}
	}
}
