package adapter

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/text"
)

// onceLogger logs each finding once, unless it is acknowledged.
type onceLogger struct {
	logger       *slog.Logger // nil: slog.Default()
	acknowledged []string     // codes
	said         sync.Map     // what was logged
}

// once reports whether this is the first call for the text.
func (j *onceLogger) once(text string) bool {
	_, said := j.said.LoadOrStore(text, true)
	return !said
}

// log logs a finding.
func (j *onceLogger) log(f verso.Finding) {
	if f.Acknowledged || f.Level == verso.LevelWarning && slices.Contains(j.acknowledged, f.Code) {
		return
	}
	level := slog.LevelWarn
	if f.Level == verso.LevelError {
		level = slog.LevelError
	}
	cmp.Or(j.logger, slog.Default()).Log(context.Background(), level, "verso: "+f.Message, "code", f.Code, "field",
		f.Field)
}

// logAll logs the findings not yet logged.
func (j *onceLogger) logAll(findings []verso.Finding) {
	for _, f := range findings {
		if f.Code != uncheckedHost.Code && j.once(f.Code+" "+f.Message) { // which the first link logs
			j.log(f)
		}
	}
}

// say logs a finding of a request, once for each code.
func (j *onceLogger) say(r codes.Row, args ...any) {
	if j.once(r.Code) {
		j.log(finding.Of(r, args...))
	}
}

// logPanic recovers a panic of a user's function, and logs the first.
func (j *onceLogger) logPanic(name string) {
	if cause := recover(); cause != nil && j.once("observe_panicked "+name) {
		j.log(finding.At(name, codes.ObservePanicked, name, text.Bounded(fmt.Sprint(cause))))
	}
}

// uncheckedHost is the finding about links whose host is chosen by the client. The
// first link logs it.
var uncheckedHost = finding.Of(codes.HostUnchecked)

// quotedList returns the first of some texts in quotes, and how many more there are.
func quotedList(texts []string) string {
	texts = unique(texts)
	var quoted []string
	for _, text := range texts[:min(maxListed, len(texts))] {
		quoted = append(quoted, fmt.Sprintf("%q", text))
	}
	if more := len(texts) - maxListed; more > 0 {
		quoted = append(quoted, fmt.Sprintf("%d more", more))
	}
	return strings.Join(quoted, ", ")
}

// unique returns texts without those that are repeated, as a path is with several methods.
func unique(texts []string) (list []string) {
	seen := make(map[string]bool, len(texts))
	for _, text := range texts {
		if !seen[text] {
			seen[text], list = true, append(list, text)
		}
	}
	return list
}

// maxListed bounds how many routes a finding names.
const maxListed = 5
