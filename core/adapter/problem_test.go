package adapter_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// translator is what a function translates.
type translator func(acceptLanguage string) (string, map[verso.MessageID]string)

func (f translator) Messages(acceptLanguage string) (string, map[verso.MessageID]string) {
	return f(acceptLanguage)
}

// rejected returns the call of a request that is rejected for its version in the
// path.
func rejected(tb testing.TB, b *adapter.Binding, acceptLanguage ...string) *coretest.Checked {
	tb.Helper()
	r := coretest.Ask{Params: coretest.In("v9").Params, Header: http.Header{"Accept-Language": acceptLanguage}}.Request()
	_, call := coretest.Begin(b, r)
	if _, _, ok := call.Rejected(); !ok {
		tb.Fatal(call.Err)
	}
	return call
}

// answerOf returns the answer to a rejected request.
func answerOf(call *coretest.Checked) *verso.Answer { return call.Answer }

func TestAnswer(t *testing.T) {
	config := verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v0")}
	reversed := translator(func(string) (string, map[verso.MessageID]string) {
		return "x-reversed", map[verso.MessageID]string{source.InvalidURLPathVersion: "htap LRU ni noisrev dilavnI"}
	})
	begin := `{"type":"` + verso.ProblemURI(source.InvalidVersion) + `","title":"Invalid API version","status":404,"detail":`
	for _, test := range []struct {
		name     string
		change   func(*verso.Config)
		want     string
		language string
		vary     []string
	}{
		{"English", func(*verso.Config) {}, `"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["v1","v2","v0"]}`, "", nil},
		{"translated, the title not", func(c *verso.Config) { c.Translator = reversed },
			`"htap LRU ni noisrev dilavnI","code":"invalid_url_path_version","allowed_versions":["v1","v2","v0"]}`, "x-reversed, en", []string{"Accept-Language"}},
		{"hidden", func(c *verso.Config) { c.HideAllowedVersions = true }, `"Invalid version in URL path.","code":"invalid_url_path_version"}`, "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			api := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.With(config, test.change))))
			call := rejected(t, api, "de", "fr;q=0.5")
			answer := answerOf(call)
			if string(answer.Body) != begin+test.want || answer.Language != test.language || !slices.Equal(answer.Vary, test.vary) {
				t.Errorf("answered %s, %+v", answer.Body, answer)
			}
			again := answerOf(rejected(t, api, "de", "fr;q=0.5"))
			if &again.Body[0] != &answer.Body[0] {
				t.Error("the answer is made again")
			}
			answer.Problem.Detail += " See the documentation."
			slices.Reverse(answer.Problem.AllowedVersions)
			unchanged := answerOf(rejected(t, api, "de", "fr;q=0.5")).Problem
			if unchanged.Detail != again.Problem.Detail || !slices.Equal(unchanged.AllowedVersions, again.Problem.AllowedVersions) {
				t.Errorf("a handler that changes its answer changes others: %+v", unchanged)
			}
			answer = again
			encoded, err := json.Marshal(answer)
			problem, problemErr := json.Marshal(answer.Problem)
			if err != nil || problemErr != nil || string(encoded) != string(answer.Body) || string(problem) != string(answer.Body) {
				t.Errorf("encoded %s, %v; problem %s, %v", encoded, err, problem, problemErr)
			}
			if got := testing.AllocsPerRun(100, func() { answerOf(call) }); got > 5 { // the lines of Accept-Language are joined, the key is one of a map, and two are for the copy
				t.Errorf("Rejected allocates %v times", got)
			}
		})
	}
}

func TestContentLanguage(t *testing.T) {
	for _, test := range []struct {
		name, language string
		want           []string
	}{
		{"tag", "sr-Latn-ME", []string{"sr-Latn-ME"}}, {"digits", "es-419", []string{"es-419"}}, {"first and last", "az-AZ-09", []string{"az-AZ-09"}},
		{"none", "", nil}, {"line break", "de\r\nX-Evil: 1", nil}, {"list", "de, en", nil}, {"not ASCII", "français", nil},
		{"before the small letters", "d`", nil}, {"behind the small letters", "d{", nil}, {"before the capitals", "d@", nil},
		{"behind the capitals", "d[", nil}, {"before the digits", "d/", nil}, {"behind the digits", "d:", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			spoken := translator(func(string) (string, map[verso.MessageID]string) { return test.language, verso.EnglishMessages() })
			api := verso.Must(scheme.NewURLPath("version", coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Translator = spoken })))
			header := http.Header{}
			answer := answerOf(rejected(t, coretest.Bound(api)))
			answer.SetFields(header)
			if !slices.Equal(header["Content-Language"], test.want) || answer.Problem.Detail != "Invalid version in URL path." || header.Get("Vary") != "Accept-Language" {
				t.Errorf("header %v, detail %q", header, answer.Problem.Detail)
			}
		})
	}
}

// TestLanguageSent has a translator whose German lacks texts, which are sent in its English.
func TestLanguageSent(t *testing.T) {
	title := verso.ProblemTitle(source.InvalidVersion)
	for _, test := range []struct {
		name                    string
		german                  map[verso.MessageID]string
		language, title, detail string
	}{
		{"both", map[verso.MessageID]string{title: "Titel", source.InvalidURLPathVersion: "Text"}, "de", "Titel", "Text"},
		{"the title", map[verso.MessageID]string{title: "Titel"}, "de, en", "Titel", "Own words."},
		{"the detail", map[verso.MessageID]string{source.InvalidURLPathVersion: "Text"}, "de, en", "Own title", "Text"},
		{"an empty text", map[verso.MessageID]string{title: "", source.InvalidURLPathVersion: ""}, "en", "Own title", "Own words."},
		{"neither", nil, "en", "Own title", "Own words."},
	} {
		t.Run(test.name, func(t *testing.T) {
			spoken := translator(func(accepted string) (string, map[verso.MessageID]string) {
				if accepted == "de" {
					return "de", test.german
				}
				return "en", map[verso.MessageID]string{title: "Own title", source.InvalidURLPathVersion: "Own words."}
			})
			api := verso.Must(scheme.NewURLPath("version", coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Translator = spoken })))
			answer := answerOf(rejected(t, coretest.Bound(api), "de"))
			if answer.Language != test.language || answer.Problem.Title != test.title || answer.Problem.Detail != test.detail {
				t.Errorf("sent %q, %q in %q", answer.Problem.Title, answer.Problem.Detail, answer.Language)
			}
		})
	}
}

func TestAnswerIsTranslatedForTheRequest(t *testing.T) {
	var asked string
	echoing := translator(func(accepted string) (string, map[verso.MessageID]string) { asked = accepted; return "en", nil })
	api := verso.Must(scheme.NewURLPath("version", coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Translator = echoing })))
	answerOf(rejected(t, coretest.Bound(api), "de", "fr;q=0.5"))
	if asked != "de, fr;q=0.5" {
		t.Errorf("the translator was given %q", asked)
	}
}

// A translator that returns whatever a client sends as the language does not fill
// the memory: answers beyond a bound are made each time.
func TestAnswersAreBounded(t *testing.T) {
	echoing := translator(func(accepted string) (string, map[verso.MessageID]string) { return accepted, nil })
	api := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Translator = echoing }))))
	for i := range 5000 {
		answerOf(rejected(t, api, "a"+strings.Repeat("x", i%100)+strings.Repeat("y", i/100)))
	}
	first, second := answerOf(rejected(t, api, "new")), answerOf(rejected(t, api, "new"))
	if got := fmt.Sprint(&first.Problem); got != "Invalid version in URL path." {
		t.Errorf("the problem prints as %q", got)
	}
	if first == second || string(first.Body) != string(second.Body) || first.Language != "en" {
		t.Errorf("an answer beyond the bound is kept: %v", first == second)
	}
}

func TestAllowedVersionsOfProblems(t *testing.T) {
	for name, test := range map[string]struct {
		config verso.Config
		want   []string
	}{
		"default among them":  {coretest.WithDefault("v1"), []string{"v1"}},
		"default beside them": {verso.Config{AllowedVersions: []string{"v2"}, DefaultVersion: verso.V("v1")}, []string{"v2", "v1"}},
		"no default":          {coretest.List("v2"), []string{"v2"}},
	} {
		api := verso.Must(scheme.NewURLPath("version", test.config))
		answer := answerOf(rejected(t, coretest.Bound(api)))
		if got := answer.Problem.AllowedVersions; !slices.Equal(got, test.want) || cap(got) != len(got) {
			t.Errorf("%s: allowed versions %q, want %q", name, got, test.want)
		}
	}
}

// TestManyVersions holds a rejection to a bounded size.
func TestManyVersions(t *testing.T) {
	var versions []string
	for i := range 10_000 {
		versions = append(versions, fmt.Sprintf("v%d", i))
	}
	api := verso.Must(scheme.NewQueryParameter("version", verso.Config{AllowedVersions: versions}))
	r := coretest.Ask{Query: "version=nothing"}.Request()
	_, call := coretest.Begin(coretest.Bound(api), r)
	answer := answerOf(call)
	if got := answer.Problem.AllowedVersions; len(got) != 100 || got[99] != "v9999" || len(answer.Body) > 2000 {
		t.Errorf("%d versions, %d bytes", len(got), len(answer.Body))
	}
}
