package verso

import (
	"fmt"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// Epoch is a period in which nothing changes, in the timeline of an [Explanation].
type Epoch struct {
	From      time.Time       `json:"from,omitzero"` // the first second; zero: from the beginning
	Versions  []VersionStatus `json:"versions"`      // in order
	Unnamed   string          `json:"unnamed"`       // what a request without a version gets
	Disappear []string        `json:"disappear,omitempty"`
}

// VersionStatus is the state of a version in an [Epoch].
type VersionStatus struct {
	Version  string `json:"version"`
	State    string `json:"state"`              // unreleased, supported, deprecated or ended
	Brownout int    `json:"brownout,omitempty"` // the status of rejections; 0: none is in progress

	// Sunset is the first second in which the version has ended, zero for none.
	Sunset time.Time `json:"sunset,omitzero"`
}

// addWarnings adds the mistakes in the catalogue that depend on today's date.
func (e *Explanation) addWarnings(b *Binding) {
	v := b.api
	if !v.dated {
		return
	}
	for _, w := range v.catalogue.Warnings(v.config.Clock()) {
		e.Findings = append(e.Findings, warn(w.Code, "Catalogue", "%s", w.Message))
	}
	e.addDefaultOverTime(b)
}

// addTimeline adds the epochs of the catalogue from now on.
func (e *Explanation) addTimeline(b *Binding) {
	v := b.api
	if !v.dated {
		return
	}
	var before []VersionStatus
	for _, epoch := range v.catalogue.Epochs(e.Time) {
		row := Epoch{From: epoch.From(), Unnamed: b.unnamedAt(epoch.Moment)}
		for index, version := range v.catalogue.Versions() {
			status := VersionStatus{Version: version, State: epoch.State(index).String(), Sunset: v.catalogue.Entry(index).Sunset}
			status.Brownout, _, _ = epoch.Brownout(index)
			row.Versions = append(row.Versions, status)
			if before != nil && status.State == catalogue.Ended.String() && before[index].State != status.State {
				row.Disappear = append(row.Disappear, version)
			}
		}
		before = row.Versions
		e.Timeline = append(e.Timeline, row)
	}
}

// unnamedAt returns what a request without a version gets at a moment.
func (b *Binding) unnamedAt(moment catalogue.Moment) string {
	result, err := b.resolve(&Reading{}, b.at(moment))
	if err == nil && result.index >= 0 {
		switch _, d := b.decideUnversioned(moment, b.api.catalogue.Table(), result); d.Outcome {
		case catalogue.VersionGone:
			return "410 version_gone"
		case catalogue.VersionBrownout:
			return fmt.Sprintf("%d version_brownout", d.Status)
		case catalogue.Served:
			result = &b.served.set.byIndex[d.Version].results[0]
		}
	}
	return describe(result, err)
}

// addDefaultOverTime adds what happens to the default version, now and later.
func (e *Explanation) addDefaultOverTime(b *Binding) {
	v := b.api
	index, ok := v.catalogue.Index(v.config.DefaultVersion.String())
	if !ok || v.config.DefaultVersion.IsNone() {
		return
	}
	said := map[catalogue.State]bool{catalogue.Supported: true}
	for _, epoch := range v.catalogue.Epochs(v.config.Clock()) {
		state := epoch.State(index)
		if said[state] {
			continue
		}
		said[state] = true
		since := "now"
		if epoch.From().After(v.config.Clock()) {
			since = "on " + epoch.From().UTC().Format(time.DateOnly)
		}
		code, what, change := "default_deprecated", "is deprecated", "choose another default before, or set WhenDefaultEnds"
		switch state {
		case catalogue.Unreleased:
			code, what, change = "default_unreleased", "is not released, so requests without a version are rejected", "choose another default before"
		case catalogue.Ended:
			unnamed := b.unnamedAt(epoch.Moment)
			code, what = "default_gone", "has ended: requests without a version get "+unnamed
			if strings.HasPrefix(unnamed, "410") {
				e.addOthersThatEnd(b, since)
			}
		}
		if state != catalogue.Unreleased && v.config.WhenDefaultEnds != 0 {
			continue // the configuration says what such requests get
		}
		e.Findings = append(e.Findings, warn(code, "DefaultVersion", "%s the default version %q %s: %s",
			since, v.config.DefaultVersion, what, change))
	}
}

// timeline returns the timeline as text, a row for each epoch.
func (e *Explanation) timeline() string {
	var text strings.Builder
	for _, epoch := range e.Timeline {
		from := "so far"
		if !epoch.From.IsZero() {
			from = epoch.From.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(&text, "  %-21s", from)
		for _, status := range epoch.Versions {
			fmt.Fprintf(&text, " %s %s", status.Version, status.State)
			if status.Brownout > 0 {
				fmt.Fprintf(&text, " (brownout %d)", status.Brownout)
			}
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, " without a version: %s\n", epoch.Unnamed)
	}
	return text.String()
}
