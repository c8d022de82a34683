package catalogue

import (
	"slices"
	"time"

	"github.com/goverso/verso/core/internal/codes"
)

// shortNotice is the bound below which there is a warning.
const shortNotice = 30 * 24 * time.Hour

// farAhead is the bound above which a date is probably a mistake, in seconds, such as 2062 instead of 2026.
const farAhead = 20 * 365 * 24 * 60 * 60

// longBrownout is the bound above which there is one, in seconds.
const longBrownout = 30 * 24 * 60 * 60

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
//   - date_distant: a version has a deprecation or a sunset more than 20 years from now
//   - brownout_long: a present or coming brownout lasts more than 30 days
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
	add := func(r codes.Row, from int64, args ...any) {
		message := r.Text(slices.Concat([]any{quote(v.text)}, args)...)
		warnings = append(warnings, Warning{Code: r.Code, Version: v.text, From: timeOf(from), Message: message})
	}
	switch {
	case v.sunset <= now && v.ended == never:
		add(codes.SunsetPassed, v.sunset, dateText(v.sunset))
	case v.sunset != never && v.action == "":
		add(codes.SunsetWithoutEnd, v.sunset, dateText(v.sunset), Gone, Serve)
	}
	if v.sunset != never && v.deprecated == never {
		add(codes.SunsetWithoutDeprecation, v.sunset)
	}
	if v.sunset != never && v.deprecated != never && v.sunset-v.deprecated < int64(shortNotice/time.Second) {
		add(codes.ShortNotice, v.deprecated)
	}
	for _, date := range []int64{v.deprecated, v.sunset} {
		if date != never && date-now > farAhead {
			add(codes.DateDistant, date, dateText(date))
		}
	}
	for _, b := range v.runs {
		if b.until > now && b.until-b.from > longBrownout {
			add(codes.BrownoutLong, b.from, dateText(b.from), dateText(b.until))
		}
	}
	if (v.deprecated != never || v.sunset != never) && v.successor < 0 && len(v.links) == 0 {
		add(codes.NoWayForward, min(v.deprecated, v.sunset))
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
			warnings = append(warnings, Warning{Code: codes.NothingLeft.Code, From: timeOf(start),
				Message: codes.NothingLeft.Text(t.nothingLeft(stage))})
		}
	}
	return warnings
}

// nothingLeft returns when no version is served, from a stage on.
func (t *timeline) nothingLeft(stage int) string {
	when := ""
	if stage > 0 {
		when = ", from " + dateText(t.stages[stage])
	}
	later := t.stages[stage+1:]
	if i := slices.IndexFunc(later, t.serves); i >= 0 {
		when += " until " + dateText(later[i])
	}
	return when
}
