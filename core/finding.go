package verso

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"github.com/goverso/verso/core/internal/text"
	"log/slog"
	"slices"
	"sync"

	"github.com/goverso/verso/core/internal/mistakes"
)

// refuse returns a finding that is a mistake.
func refuse(code, field, format string, args ...any) Finding {
	return Finding{Level: LevelError, Code: code, Field: field, Message: fmt.Errorf(format, args...).Error()}
}

// warn returns a finding that may be intended.
func warn(code, field, format string, args ...any) Finding {
	return Finding{Level: LevelWarning, Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}

// refusals returns the errors among the findings, joined, and the warnings.
func refusals(findings []Finding) (warnings []Finding, err error) {
	var refused []error
	for _, f := range findings {
		if f.Level == LevelError {
			refused = append(refused, &f)
		} else {
			warnings = append(warnings, f)
		}
	}
	return warnings, errors.Join(refused...)
}

// mistake returns a refused finding as an error.
func mistake(code, field, format string, args ...any) error {
	f := refuse(code, field, format, args...)
	return &f
}

// joined returns the refused findings as a joined error.
func joined(findings []Finding) error {
	_, err := refusals(findings)
	return err
}

// catalogueFindings returns the mistakes that package catalogue found, as findings about a
// field.
func catalogueFindings(field string, err error) (findings []Finding) {
	mistakes.Each(field, err, func(code, field, message string) {
		findings = append(findings, refuse(code, field, "%s", message))
	})
	return findings
}

// Must returns the value, or panics with err. It is for configurations in source code.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// onceLogger logs each finding once, unless it is acknowledged.
type onceLogger struct {
	logger       *slog.Logger // nil: slog.Default()
	acknowledged []string     // codes
	said         sync.Map     // what was logged
}

// once reports whether this is the first call for the text.
func (j *onceLogger) once(text string) bool {
	if _, said := j.said.Load(text); said {
		return false
	}
	_, said := j.said.LoadOrStore(text, true)
	return !said
}

// log logs a finding.
func (j *onceLogger) log(f Finding) {
	if f.Level == LevelWarning && slices.Contains(j.acknowledged, f.Code) {
		return
	}
	level := slog.LevelWarn
	if f.Level == LevelError {
		level = slog.LevelError
	}
	cmp.Or(j.logger, slog.Default()).Log(context.Background(), level, "verso: "+f.Message, "code", f.Code, "field", f.Field)
}

// logAll logs the findings not yet logged.
func (j *onceLogger) logAll(findings []Finding) {
	for _, f := range findings {
		if f.Code != uncheckedHost.Code && j.once(f.Code+" "+f.Message) { // which the first link logs
			j.log(f)
		}
	}
}

// warn logs a mistake that only a request reveals, once for each code.
func (j *onceLogger) warn(code, field, format string, args ...any) {
	if j.once(code) {
		j.log(warn(code, field, format, args...))
	}
}

// logPanic recovers a panic of a user's function, and logs the first.
func (j *onceLogger) logPanic(name string) {
	if cause := recover(); cause != nil && j.once("observe_panicked "+name) {
		j.log(refuse("observe_panicked", name, "%s panicked, and will not be logged again: %s", name, text.Bounded(fmt.Sprint(cause))))
	}
}
