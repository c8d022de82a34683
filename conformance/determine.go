package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// determineCase is a case of the operation determine: one HTTP request through
// a scheme.
type determineCase struct {
	Request  request  `json:"request"`
	Produces []string `json:"produces"`
	Route    struct {
		Pattern    string             `json:"pattern"`
		Namespaces []string           `json:"namespaces"`
		Captured   map[string]*string `json:"captured"`
	} `json:"route"`
	Languages []string      `json:"languages"` // the suite's translator has these; none: no translator
	Want      determineWant `json:"want"`
}

// determineWant is either a version (Status 0) or a refusal: with a message,
// or with the Reason "not-acceptable" when negotiation refuses the request, or
// "unmatched" when the framework answers by itself that it has no such route
// (with 404 or 405, as it likes). The other fields are checked when they are
// set.
type determineWant struct {
	Version         verso.Version   `json:"version"`
	Status          int             `json:"status"`
	Message         string          `json:"message"`
	Reason          string          `json:"reason"`
	Title           string          `json:"title"`
	Code            verso.MessageID `json:"code"`
	AllowedVersions []string        `json:"allowed_versions"`
	Language        string          `json:"language"` // of the Content-Language field
}

func (w determineWant) unmatched() bool { return w.Reason == "unmatched" }

func (w determineWant) String() string {
	switch {
	case w.Status == 0:
		return fmt.Sprintf("version %#v", w.Version)
	case w.Message != "":
		return fmt.Sprintf("status %d, detail %q", w.Status, w.Message)
	default:
		return fmt.Sprintf("status %d, %s", w.Status, w.Reason)
	}
}

// checkDetermine sends the request of a case of the operation determine.
func checkDetermine(tb testing.TB, mount Mount, c *Case) error {
	tb.Helper()
	var d determineCase
	if err := c.decode(&d); err != nil {
		return err
	}
	scheme, err := c.newScheme()
	if err != nil {
		return err
	}
	var calls []verso.Version
	app := App{Scheme: scheme, Produces: d.Produces, Routes: []Route{{
		Method:    d.Request.Method,
		Namespace: strings.Join(d.Route.Namespaces, ":"),
		Name:      "route",
		Pattern:   d.Route.Pattern,
		Handle: func(w http.ResponseWriter, _ *http.Request, call Call) {
			calls = append(calls, call.Version)
			w.WriteHeader(http.StatusOK)
		},
	}}}
	if d.Want.unmatched() {
		app.Routes[0].Method = http.MethodGet
	}
	if len(d.Languages) > 0 {
		app.Translator = translator(d.Languages)
	}
	got, err := exchange(mount(tb, app), &d.Request)
	if err != nil {
		return err
	}
	if err := errors.Join(d.judge(got, calls, scheme)...); err != nil {
		return fmt.Errorf("%w\nrequest:\n%swant: %s\ngot:  status %d, Vary %q, Content-Language %q, body %.200q, versions seen by the handler %#v",
			err, &d.Request, d.Want, got.status, got.header.Values("Vary"), got.header.Values("Content-Language"), got.body, calls)
	}
	return nil
}

// judge returns what is wrong with the response and the calls of the handler.
func (d *determineCase) judge(got *response, calls []verso.Version, scheme verso.Scheme) (wrong []error) {
	complain := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf(format, args...))
	}
	vary := scheme.Vary()
	switch {
	case d.Want.Status == 0:
		if got.status != http.StatusOK {
			complain("a request with an allowed version was refused with status %d", got.status)
		}
		if len(calls) != 1 {
			complain("the handler ran %d times instead of once", len(calls))
		} else if !sameText(calls[0], d.Want.Version) {
			complain("the handler saw version %#v instead of %#v", calls[0], d.Want.Version)
		}
	case d.Want.unmatched():
		vary = nil
		if got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
			complain("status is %d instead of 404 or 405", got.status)
		}
		if len(calls) > 0 {
			complain("the handler ran although the request is not for it")
		}
	default:
		if got.status != d.Want.Status {
			complain("status is %d instead of %d", got.status, d.Want.Status)
		}
		if len(calls) > 0 {
			complain("the handler ran although the request is refused")
		}
		if len(d.Languages) > 0 {
			vary = append(vary, "Accept-Language")
		}
	}
	if language := got.header.Get("Content-Language"); language != d.Want.Language {
		complain("the field Content-Language is %q instead of %q", language, d.Want.Language)
	}
	if d.Want.Status != 0 {
		wrong = append(wrong, d.judgeBody(got)...)
	}
	return append(wrong, judgeVary(got.header, vary)...)
}

// judgeBody checks the problem details of a refusal (RFC 9457).
func (d *determineCase) judgeBody(got *response) (wrong []error) {
	complain := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf(format, args...))
	}
	if d.Request.Method == http.MethodHead {
		if len(got.body) > 0 {
			complain("the response to HEAD has a body")
		}
		return wrong
	}
	var problem verso.Problem
	err := json.Unmarshal(got.body, &problem)
	if d.Want.unmatched() {
		if problem.Detail != "" {
			complain("an unmatched request got problem details: %q", problem.Detail)
		}
		return wrong
	}
	if err != nil {
		complain("the body of the refusal is not JSON: %w", err)
		return wrong
	}
	if problem.Type == "" || problem.Title == "" || problem.Detail == "" || problem.Code == "" {
		complain("the problem details lack type, title, detail or code")
	}
	if problem.Status != got.status {
		complain("the problem details say status %d, the response %d", problem.Status, got.status)
	}
	if d.Want.Message != "" && problem.Detail != d.Want.Message {
		complain("detail is %q instead of %q", problem.Detail, d.Want.Message)
	}
	if d.Want.Title != "" && problem.Title != d.Want.Title {
		complain("title is %q instead of %q", problem.Title, d.Want.Title)
	}
	if d.Want.Code != "" && problem.Code != d.Want.Code {
		complain("code is %q instead of %q", problem.Code, d.Want.Code)
	}
	if d.Want.AllowedVersions != nil && !slices.Equal(problem.AllowedVersions, d.Want.AllowedVersions) {
		complain("allowed_versions are %q instead of %q", problem.AllowedVersions, d.Want.AllowedVersions)
	}
	return wrong
}

// judgeVary checks that the Vary header names exactly the given headers, once
// each.
func judgeVary(header http.Header, want []string) (wrong []error) {
	var got []string
	for _, line := range header.Values("Vary") {
		for name := range strings.SplitSeq(line, ",") {
			got = append(got, http.CanonicalHeaderKey(strings.TrimSpace(name)))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		wrong = append(wrong, fmt.Errorf("the field Vary names %q instead of %q", got, want))
	}
	return wrong
}

// sameText compares versions as JSON can write them: in a case, U+FFFD stands
// for bytes that are not UTF-8.
func sameText(got, want verso.Version) bool {
	return got.IsNone() == want.IsNone() && string([]rune(got.String())) == want.String()
}
