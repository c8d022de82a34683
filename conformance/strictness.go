package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	verso "github.com/goverso/verso/core"
)

// Strictness sends requests that only a [verso.Strictness] refuses, to the
// mounted adapter without one and with one, each in a subtest.
func Strictness(t *testing.T, mount Mount) {
	t.Helper()
	for _, r := range strictRequests() {
		t.Run(r.name, func(t *testing.T) {
			if err := r.check(t, mount); err != nil {
				t.Error(err)
			}
		})
	}
}

// strictRequest is a request, and what becomes of it.
type strictRequest struct {
	name         string // of the subtest
	scheme       verso.Scheme
	host, target string
	accept       string          // the Accept header, "" for none
	version      string          // that the handler sees without a Strictness
	status       int             // with one
	code         verso.MessageID // with one, "" for no refusal
}

func strictRequests() []strictRequest {
	query := verso.Must(verso.NewQueryParameter(verso.Settings{}))
	accept := verso.Must(verso.NewAcceptHeader(verso.Settings{}))
	const badRequest, misdirected = http.StatusBadRequest, http.StatusMisdirectedRequest
	return []strictRequest{
		{"one-version", query, "v2.example.com:8080", "/users?version=v2", "", "v2", http.StatusOK, ""},
		{"contradiction-in-query", query, "example.com", "/users?version=v1&version=v2", "", "v2", badRequest, verso.ContradictingVersions},
		{"contradiction-in-accept", accept, "example.com", "/users", "*/*;version=v1;version=v2", "v2", badRequest, verso.ContradictingVersions},
		{"empty-in-query", query, "example.com", "/users?version=", "", "", badRequest, verso.EmptyVersion},
		{"empty-in-accept", accept, "example.com", "/users", `*/*;version=""`, "", badRequest, verso.EmptyVersion},
		{"unknown-host", query, "example.org", "/users?version=v2", "", "v2", misdirected, verso.UnknownHost},
		{"unknown-host-and-accept", accept, "127.0.0.1", "/users", "*/*;version=v2", "v2", misdirected, verso.UnknownHost},
	}
}

// check sends the request without a Strictness and with one.
func (s *strictRequest) check(tb testing.TB, mount Mount) error {
	tb.Helper()
	r := &request{Method: http.MethodGet, URLScheme: "http", Target: s.target, Host: &s.host}
	if s.accept != "" {
		r.Headers = map[string][]string{"Accept": {s.accept}}
	}
	app := App{Scheme: s.scheme}
	if err := checkStrictness(tb, mount, app, r, http.StatusOK, s.version); err != nil {
		return fmt.Errorf("without a Strictness: %w", err)
	}
	app.Strict = verso.Strictness{RefuseContradictions: true, RefuseEmpty: true, BaseDomains: []string{"example.com"}}
	want := s.version
	if s.status != http.StatusOK {
		want = string(s.code)
	}
	if err := checkStrictness(tb, mount, app, r, s.status, want); err != nil {
		return fmt.Errorf("with a Strictness: %w", err)
	}
	return nil
}

// checkStrictness sends a request. What is wanted is the version that the
// handler sees, or the code of a refusal.
func checkStrictness(tb testing.TB, mount Mount, app App, r *request, status int, want string) error {
	tb.Helper()
	var seen []verso.Version
	app.Routes = []Route{{
		Method: http.MethodGet, Name: "users", Pattern: "/users",
		Handle: func(w http.ResponseWriter, _ *http.Request, call Call) {
			seen = append(seen, call.Version)
			w.WriteHeader(http.StatusOK)
		},
	}}
	got, err := exchange(mount(tb, app), r)
	if err != nil {
		return err
	}
	wrong := judgeVary(got.header, app.Scheme.Vary())
	switch {
	case got.status != status:
		wrong = append(wrong, fmt.Errorf("status is %d instead of %d, body %.200q", got.status, status, got.body))
	case status == http.StatusOK:
		if len(seen) != 1 || seen[0] != verso.V(want) {
			wrong = append(wrong, fmt.Errorf("the handler saw %#v instead of version %q", seen, want))
		}
	default:
		var problem verso.Problem
		if err := json.Unmarshal(got.body, &problem); err != nil || string(problem.Code) != want || len(seen) > 0 {
			wrong = append(wrong, fmt.Errorf("code is %q instead of %q, the handler saw %#v", problem.Code, want, seen))
		}
	}
	return errors.Join(wrong...)
}
