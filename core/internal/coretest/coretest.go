// Package coretest has what the tests of core's packages share.
package coretest

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
)

// Date returns the beginning of a day in UTC.
func Date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// List is the configuration of most tests.
func List(versions ...string) verso.Config { return verso.Config{AllowedVersions: versions} }

// WithDefault is a list and a default, which is its first.
func WithDefault(versions ...string) verso.Config {
	return verso.Config{AllowedVersions: versions, DefaultVersion: verso.V(versions[0])}
}

// With returns a copy of the configuration with one thing changed.
func With(c verso.Config, change func(*verso.Config)) verso.Config {
	change(&c)
	return c
}

// Findings returns the codes of what Explain finds.
func Findings(e *verso.Explanation) (codes []string) {
	for _, f := range e.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// ConfigErrors returns the mistakes that are joined in an error.
func ConfigErrors(err error) (all []*verso.Finding) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			all = append(all, ConfigErrors(one)...)
		}
		return all
	}
	var mistake *verso.Finding
	if errors.As(err, &mistake) {
		all = append(all, mistake)
	}
	return all
}

// Main runs the tests of a package, and discards what is logged, but for tests that look
// at it.
func Main(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	m.Run()
}
