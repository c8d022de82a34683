package verso_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

func TestProblemTypes(t *testing.T) {
	const page = "https://github.com/goverso/verso/blob/main/docs/problems.md#"
	for message, want := range map[verso.MessageID]struct{ anchor, title string }{
		source.InvalidURLPathVersion: {"invalid-version", "Invalid API version"},
		source.InvalidVersion:        {"invalid-version", "Invalid API version"},
		"mine":                       {"invalid-version", "Invalid API version"},
		source.NotAcceptableMessage:  {"not-acceptable", "Not acceptable"},
		source.MissingVersion:        {"missing-version", "Invalid API version"},
		source.ContradictingVersions: {"contradicting-versions", "Invalid API version"},
		verso.EmptyVersion:           {"empty-version", "Invalid API version"},
		verso.UnknownHost:            {"unknown-host", "Misdirected request"},
		verso.VersionGone:            {"version-gone", "Gone"},
		verso.RouteGone:              {"version-gone", "Gone"},
		verso.VersionBrownout:        {"version-brownout", "Gone"},
		verso.NotInVersion:           {"not-in-version", "Not in this API version"},
		verso.MethodNotInVersion:     {"not-in-version", "Not in this API version"},
	} {
		if got := verso.ProblemURI(message); got != page+want.anchor {
			t.Errorf("%s: the type is %q, want %q", message, got, page+want.anchor)
		}
		if got := verso.EnglishMessages()[verso.ProblemTitle(message)]; got != want.title {
			t.Errorf("%s: the title is %q, want %q", message, got, want.title)
		}
	}
}

func TestServeAnswer(t *testing.T) {
	answer := &verso.Answer{Problem: verso.Problem{Status: http.StatusNotFound}, Body: []byte("{}"), Language: "de", Vary: []string{"Accept-Language"}}
	for method, body := range map[string]string{http.MethodGet: "{}", http.MethodHead: ""} {
		w := httptest.NewRecorder()
		w.Header().Set("Vary", "Origin")
		answer.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, "/", nil))
		if w.Code != http.StatusNotFound || w.Body.String() != body || w.Header().Get("Content-Type") != "application/problem+json" ||
			w.Header().Get("Content-Language") != "de" || !slices.Equal(w.Header()["Vary"], []string{"Origin, Accept-Language"}) {
			t.Errorf("%s: status %d, %v, body %s", method, w.Code, w.Header(), w.Body)
		}
	}
}
