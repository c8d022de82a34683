package coretest

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// Checked is a request and the results of its check.
type Checked struct {
	Kept   *verso.Result
	Fields adapter.Fields
	Err    error
	Answer *verso.Answer // nil: it is not rejected

	KeepServed bool
	NoContent  bool // it was answered with status 204
	Client     string
}

// Rejected returns the rejection and its answer. ok is false if there is none.
func (c *Checked) Rejected() (rejected *verso.Error, answer *verso.Answer, ok bool) {
	ok = errors.As(c.Err, &rejected)
	return rejected, c.Answer, ok
}

var seams sync.Map // of bindings, each made once

// SeamOf returns the check of an adapter whose store is the request itself.
func SeamOf(b *adapter.Binding) *adapter.Seam[*Checked, func(*Checked)] {
	made, _ := seams.LoadOrStore(b, sync.OnceValue(func() *adapter.Seam[*Checked,
		func(*Checked)] {
		return NewSeam(b)
	}))
	return made.(func() *adapter.Seam[*Checked, func(*Checked)])()
}

// NewSeam returns a new check, as SeamOf does.
func NewSeam(b *adapter.Binding) *adapter.Seam[*Checked, func(*Checked)] {
	s := adapter.Seam[*Checked, func(*Checked)]{
		Binding:   b,
		Load:      func(c *Checked) *verso.Result { return c.Kept },
		Store:     func(c *Checked, result *verso.Result) { c.Kept = result },
		Write:     func(c *Checked, fields adapter.Fields) { c.Fields = fields },
		Next:      func(c *Checked, next func(*Checked)) error { next(c); return nil },
		NoContent: func(c *Checked) error { c.NoContent = true; return nil },
		Reject: func(c *Checked, rejected *verso.Error, answer *verso.Answer) error {
			c.Err, c.Answer = rejected, answer
			return nil
		},
		Fail:             func(c *Checked, err error) error { c.Err = err; return nil },
		ExemptFromSunset: func(c *Checked) bool { return c.KeepServed },
	}
	if b.Observes() {
		s.Client = func(c *Checked) string { return c.Client }
	}
	return adapter.NewSeam(s)
}

// Begin decides on a request as the check of an adapter does. The result is nil if the
// request is rejected.
func Begin(b *adapter.Binding, r source.Request) (*verso.Result, *Checked) {
	c := new(Checked)
	call := adapter.Call{Request: r}
	_ = SeamOf(b).Check(c, &call, func(*Checked) {}) // the error is in c
	if c.Err != nil {
		return nil, c
	}
	return c.Kept, c
}

// Decided is Begin, and fails the test if the request is rejected.
func Decided(tb testing.TB, b *adapter.Binding, r source.Request) (*verso.Result, *Checked) {
	tb.Helper()
	result, call := Begin(b, r)
	if call.Err != nil {
		tb.Fatal(call.Err)
	}
	return result, call
}

// AnswerTo returns the answer to a request, nil unless it is rejected.
func AnswerTo(b *adapter.Binding, r source.Request) *verso.Answer {
	_, call := Begin(b, r)
	return call.Answer
}

// Fields returns the response fields of a decision but Vary, a line each.
func Fields(call *Checked) (lines []string) {
	call.Fields.Each(func(f catalogue.Field, mode adapter.FieldMode) {
		if mode != adapter.JoinField {
			lines = append(lines, fmt.Sprint(f.Name, ": ", strings.Join(f.Lines, " | "), " ", mode))
		}
	})
	return lines
}

// Varies returns the names in the Vary field of a decision.
func Varies(call *Checked) (names []string) {
	w := httptest.NewRecorder()
	call.Fields.Set(w.Header())
	for _, line := range w.Header()["Vary"] {
		names = append(names, strings.Split(line, ", ")...)
	}
	return names
}

// Outcome describes the decision on a request in a few words: "= v1", "none", "404
// invalid_url_path_version", or "error" and its text.
func Outcome[A *verso.Versioning | *adapter.Binding](api A, r source.Request) string {
	var version verso.Version
	var err error
	switch api := any(api).(type) {
	case *verso.Versioning:
		version, err = adapter.Bind(api, nil).DetermineVersion(r)
	case *adapter.Binding:
		result, call := Begin(api, r)
		if err = call.Err; err == nil {
			version = result.Version()
		} else if result != nil {
			return "a result besides the error " + err.Error()
		}
		if call.NoContent {
			return "204"
		}
	}
	return OutcomeOf(version, err)
}

// Expect fails the test unless a request has an outcome. about says which request it is.
func Expect[A *verso.Versioning | *adapter.Binding](tb testing.TB, api A, r source.Request, want string, about ...any) {
	tb.Helper()
	if got := Outcome(api, r); got != want {
		tb.Errorf("%q: %s, want %s", about, got, want)
	}
}

// OutcomeOf describes a version and an error as Outcome does.
func OutcomeOf(version verso.Version, err error) string {
	var rejected *verso.Error
	ok := errors.As(err, &rejected)
	switch {
	case ok:
		return fmt.Sprintf("%d %s", rejected.Status, rejected.MessageID)
	case err != nil:
		return "error " + err.Error()
	case version.IsNone():
		return "none"
	}
	return "= " + version.String()
}

// RejectedHost is the outcome of a request whose host has no known version.
const RejectedHost = "404 invalid_host_name_version"
