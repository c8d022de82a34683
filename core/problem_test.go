package verso_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// reversed is a translator with one language, which lacks the titles.
type reversed struct{}

func (reversed) Messages([]string) (string, map[verso.MessageID]string) {
	return "x-reversed", map[verso.MessageID]string{verso.InvalidURLPathVersion: "htap LRU ni noisrev dilavnI"}
}

func TestProblem(t *testing.T) {
	settings := verso.Settings{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v0")}
	scheme := verso.Must(verso.NewURLPath(settings))
	refusal := &verso.Error{Status: http.StatusNotFound, MessageID: verso.InvalidURLPathVersion, Message: "Invalid version in URL path."}
	english := verso.Problem{
		Type: verso.ProblemInvalidVersion, Title: "Invalid API version", Status: http.StatusNotFound,
		Detail: "Invalid version in URL path.", Code: verso.InvalidURLPathVersion, AllowedVersions: []string{"v1", "v2", "v0"},
	}
	for _, test := range []struct {
		name     string
		config   verso.VersioningConfig
		refusal  *verso.Error
		change   func(*verso.Problem)
		language string
		vary     []string
	}{
		{"English", verso.VersioningConfig{Scheme: scheme}, refusal, func(*verso.Problem) {}, "", nil},
		{
			"translated, the title not", verso.VersioningConfig{Scheme: scheme, Translator: reversed{}}, refusal,
			func(p *verso.Problem) { p.Detail = "htap LRU ni noisrev dilavnI" }, "x-reversed", []string{"Accept-Language"},
		},
		{
			"allowed versions hidden", verso.VersioningConfig{Scheme: scheme, HideAllowedVersions: true}, refusal,
			func(p *verso.Problem) { p.AllowedVersions = nil }, "", nil,
		},
		{
			"nothing acceptable", verso.VersioningConfig{Scheme: scheme},
			&verso.Error{Status: http.StatusNotAcceptable, MessageID: verso.NotAcceptable, Message: "No."},
			func(p *verso.Problem) {
				p.Type, p.Title, p.Status = verso.ProblemNotAcceptable, "Not acceptable", http.StatusNotAcceptable
				p.Detail, p.Code = "No.", verso.NotAcceptable
			}, "", nil,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			versioning, err := verso.NewVersioning(test.config)
			if err != nil {
				t.Fatal(err)
			}
			want, header := english, make(http.Header)
			test.change(&want)
			got := versioning.Problem(test.refusal, make(http.Header), header)
			if slices.Equal(got.AllowedVersions, want.AllowedVersions) {
				got.AllowedVersions, want.AllowedVersions = nil, nil
			}
			gotJSON, _ := json.Marshal(got)
			wantJSON, _ := json.Marshal(want)
			if string(gotJSON) != string(wantJSON) {
				t.Errorf("problem is %s, want %s", gotJSON, wantJSON)
			}
			if header.Get("Content-Language") != test.language || !slices.Equal(header["Vary"], test.vary) {
				t.Errorf("header is %v", header)
			}
		})
	}
}

// spoken is a translator that says it speaks the language, whatever that is.
type spoken string

func (s spoken) Messages([]string) (string, map[verso.MessageID]string) {
	return string(s), nil
}

func TestContentLanguage(t *testing.T) {
	scheme := verso.Must(verso.NewURLPath(verso.Settings{}))
	for _, test := range []struct {
		name, language string
		want           []string
	}{
		{"tag", "sr-Latn-ME", []string{"sr-Latn-ME"}},
		{"digits", "es-419", []string{"es-419"}},
		{"first and last of the letters and digits", "az-AZ-09", []string{"az-AZ-09"}},
		{"none", "", nil},
		{"line break", "de\r\nX-Evil: 1", nil},
		{"list", "de, en", nil},
		{"not ASCII", "français", nil},
		{"before the small letters", "d`", nil},
		{"behind the small letters", "d{", nil},
		{"before the capitals", "d@", nil},
		{"behind the capitals", "d[", nil},
		{"before the digits", "d/", nil},
		{"behind the digits", "d:", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			versioning := newVersioning(t, verso.VersioningConfig{Scheme: scheme, Translator: spoken(test.language)})
			header := make(http.Header)
			problem := versioning.Problem(&verso.Error{MessageID: verso.InvalidURLPathVersion, Message: "No."}, nil, header)
			if !slices.Equal(header["Content-Language"], test.want) || problem.Detail != "No." {
				t.Errorf("Content-Language is %q, detail %q", header["Content-Language"], problem.Detail)
			}
		})
	}
}

func TestAllowedVersionsOfProblems(t *testing.T) {
	v1 := verso.V("v1")
	for name, test := range map[string]struct {
		settings verso.Settings
		want     []string
	}{
		"default among them":  {verso.Settings{AllowedVersions: []string{"v1"}, DefaultVersion: v1}, []string{"v1"}},
		"default beside them": {verso.Settings{AllowedVersions: []string{"v2"}, DefaultVersion: v1}, []string{"v2", "v1"}},
		"no default":          {verso.Settings{AllowedVersions: []string{"v2"}}, []string{"v2"}},
		"all":                 {verso.Settings{DefaultVersion: v1}, nil},
	} {
		v := newVersioning(t, verso.VersioningConfig{Scheme: verso.Must(verso.NewURLPath(test.settings))})
		if got := v.Problem(&verso.Error{}, nil, nil).AllowedVersions; !slices.Equal(got, test.want) {
			t.Errorf("%s: allowed versions %q, want %q", name, got, test.want)
		}
	}
}

// echoing is a translator whose message is what it is asked for.
type echoing struct{}

func (echoing) Messages(lines []string) (string, map[verso.MessageID]string) {
	return "en", map[verso.MessageID]string{verso.InvalidURLPathVersion: strings.Join(lines, "|")}
}

func TestProblemIsTranslatedForTheRequest(t *testing.T) {
	v := newVersioning(t, verso.VersioningConfig{Scheme: verso.Must(verso.NewURLPath(verso.Settings{})), Translator: echoing{}})
	request := http.Header{"Accept-Language": {"de", "fr;q=0.5"}}
	if got := v.Problem(&verso.Error{MessageID: verso.InvalidURLPathVersion}, request, http.Header{}).Detail; got != "de|fr;q=0.5" {
		t.Errorf("the translator was given %q", got)
	}
}

func TestProblemTypes(t *testing.T) {
	for got, want := range map[string]string{
		verso.ProblemInvalidVersion: "https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version",
		verso.ProblemNotAcceptable:  "https://github.com/goverso/verso/blob/main/docs/problems.md#not-acceptable",

		verso.ProblemContradictingVersions: "https://github.com/goverso/verso/blob/main/docs/problems.md#contradicting-versions",
		verso.ProblemEmptyVersion:          "https://github.com/goverso/verso/blob/main/docs/problems.md#empty-version",
		verso.ProblemUnknownHost:           "https://github.com/goverso/verso/blob/main/docs/problems.md#unknown-host",
	} {
		if got != want {
			t.Errorf("problem type %q, want %q", got, want)
		}
	}
}

func TestWriteProblem(t *testing.T) {
	problem := verso.Problem{Type: "t", Title: "<T>", Status: http.StatusNotFound, Detail: "d", Code: "c"}
	for method, body := range map[string]string{
		http.MethodGet:  `{"type":"t","title":"\u003cT\u003e","status":404,"detail":"d","code":"c"}`,
		http.MethodHead: "",
	} {
		w := httptest.NewRecorder()
		verso.WriteProblem(w, httptest.NewRequestWithContext(t.Context(), method, "/", nil), problem)
		if w.Code != http.StatusNotFound || w.Body.String() != body || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: status %d, %v, body %s", method, w.Code, w.Header(), w.Body)
		}
	}
}
