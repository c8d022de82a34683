package catalogue

import (
	"fmt"
	"slices"
	"time"
)

// shortNotice is the bound below which there is a warning.
const shortNotice = 30 * 24 * time.Hour

// Warning is a probable mistake that is not an error: the catalogue works as
// configured.
type Warning struct {
	Code    string    // for programs: "sunset_passed". Codes are stable.
	Version string    // the version concerned, "" for all of them
	From    time.Time // when the problem begins, the zero time for the first stage
	Message string    // what will happen and what to change
}

// Warnings returns the probable mistakes from a time on. Warnings about one version come
// first, in the order of the versions. Warnings about a time follow, in the order of
// time.
//
//   - sunset_passed: a version is past its sunset and still served
//   - sunset_without_end: a version has a sunset to come, but the service does not configure what happens then
//   - sunset_without_deprecation: a version has a sunset but no deprecation
//   - short_notice: a version has less than 30 days between deprecation and sunset
//   - no_way_forward: a version is deprecated or ends and has neither a successor nor a link
//   - nothing_left: there is a time, now or later, in which every request is rejected
//
// The default version is not checked: only the caller knows it. See [Moment.State].
func (c *Catalogue) Warnings(now time.Time) []Warning {
	var warnings []Warning
	for i := range c.timeline.versions {
		warnings = append(warnings, c.timeline.versions[i].warnings(now.Unix())...)
	}
	return append(warnings, c.stageWarnings(periodAt(c.timeline.stages, now.Unix()))...)
}

// warnings returns the warnings about one version.
func (v *version) warnings(now int64) (warnings []Warning) {
	add := func(code string, from int64, format string, args ...any) {
		message := "version " + quote(v.text) + " " + fmt.Sprintf(format, args...)
		warnings = append(warnings, Warning{Code: code, Version: v.text, From: timeOf(from), Message: message})
	}
	switch {
	case v.sunset <= now && v.ended == never:
		add("sunset_passed", v.sunset,
			"is served although its sunset was at %s: end it with after_sunset, or move the sunset", dateText(v.sunset))
	case v.sunset != never && v.action == "":
		add("sunset_without_end", v.sunset, "announces its end at %s but will still be served: set after_sunset to %q to end it then, or to %q if that is intended", dateText(v.sunset), Gone, Serve)
	}
	if v.sunset != never && v.deprecated == never {
		add("sunset_without_deprecation", v.sunset,
			"has a sunset but no deprecation: add the date from which clients should leave it")
	}
	if v.sunset != never && v.deprecated != never && v.sunset-v.deprecated < int64(shortNotice/time.Second) {
		add("short_notice", v.deprecated, "ends less than 30 days after it is deprecated: move one of the dates")
	}
	if (v.deprecated != never || v.sunset != never) && v.successor < 0 && len(v.links) == 0 {
		add("no_way_forward", min(v.deprecated, v.sunset),
			"is deprecated or ends, but has neither a successor nor a link for clients: add one")
	}
	return warnings
}

// stageWarnings returns the warnings about all versions in the stages from a
// number on.
func (c *Catalogue) stageWarnings(first int) (warnings []Warning) {
	t := &c.timeline
	for stage := first; stage < len(t.stages); stage++ {
		start := t.stages[stage]
		if !t.serves(start) && (stage == first || t.serves(t.stages[stage-1])) {
			warnings = append(warnings, Warning{Code: "nothing_left", From: timeOf(start),
				Message: t.nothingLeft(stage)})
		}
	}
	return warnings
}

// nothingLeft returns the message that no version is served from a stage on.
func (t *timeline) nothingLeft(stage int) string {
	message := "no version is served, except previews"
	if stage > 0 {
		message += ", from " + dateText(t.stages[stage])
	}
	later := t.stages[stage+1:]
	if i := slices.IndexFunc(later, t.serves); i >= 0 {
		message += " until " + dateText(later[i])
	}
	return message + ": move the release or the sunset of a version"
}
