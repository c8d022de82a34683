package usage

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"
)

// sample is the value of a gauge for a version. The label may be "".
type sample struct {
	label, labelValue string
	value             float64
}

// gauges are the metrics of each version that is deprecated or has a sunset. No label has
// the name of a client, so that a version has at most ten series.
var gauges = []struct {
	name, unit, help string
	samples          func(v *versionReport) []sample
}{
	{"clients", "", "Clients with a name, by how far they have moved to a later version.", func(v *versionReport) []sample {
		m := v.Moving
		return []sample{
			{"state", string(groupOnly), float64(m.Only)}, {"state", string(groupBoth), float64(m.Both)}, {"state", string(groupQuiet), float64(m.Quiet)},
			{"state", string(groupTold), float64(m.Told)}, {"state", string(groupMoved), float64(m.Moved)},
		}
	}},
	{"week_requests", "", "Requests in the last 7 full days.", func(v *versionReport) []sample {
		return []sample{{"client", "known", float64(v.Moving.Requests - v.Moving.Unnamed)}, {"client", "unknown", float64(v.Moving.Unnamed)}}
	}},
	{"ready", "", "Whether the version may end: 1 or 0.", func(v *versionReport) []sample {
		if v.Ready.Ready {
			return []sample{{value: 1}}
		}
		return []sample{{}}
	}},
	{"sunset_timestamp_seconds", "seconds", "When the version ends.", func(v *versionReport) []sample { return secondsOf(v.Sunset) }},
	{"last_request_timestamp_seconds", "seconds", "The last request for the version.", func(v *versionReport) []sample { return secondsOf(v.LastSeen) }},
}

// secondsOf returns a sample with a time, or none for the zero time.
func secondsOf(t time.Time) []sample {
	if t.IsZero() {
		return nil
	}
	return []sample{{value: float64(t.Unix())}}
}

// writeMetrics writes the gauges in the format of OpenMetrics 1.0.
func (r *report) writeMetrics(w io.Writer) error {
	var b strings.Builder
	describe := func(name, unit, help string) {
		fmt.Fprintf(&b, "# TYPE verso_usage_%s gauge\n", name)
		if unit != "" {
			fmt.Fprintf(&b, "# UNIT verso_usage_%s %s\n", name, unit)
		}
		fmt.Fprintf(&b, "# HELP verso_usage_%s %s\n", name, help)
	}
	for _, g := range gauges {
		describe(g.name, g.unit, g.help)
		for i := range r.Versions {
			v := &r.Versions[i]
			if v.Moving == nil {
				continue
			}
			for _, s := range g.samples(v) {
				fmt.Fprintf(&b, `verso_usage_%s{version="%s"`, g.name, labelEscaper.Replace(v.Version))
				if s.label != "" {
					fmt.Fprintf(&b, `,%s="%s"`, s.label, s.labelValue)
				}
				fmt.Fprintf(&b, "} %s\n", strconv.FormatFloat(s.value, 'f', -1, 64))
			}
		}
	}
	describe("counted_since_timestamp_seconds", "seconds", "When counting began.")
	fmt.Fprintf(&b, "verso_usage_counted_since_timestamp_seconds %d\n# EOF\n", r.Since.Unix())
	_, err := io.WriteString(w, b.String())
	return err
}

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// warnFrom is how long before a sunset Warn begins.
const warnFrom = 30 * 24 * time.Hour

// Warn logs each version that ends within 30 days and whose end would break clients, with
// the code usage_sunset. A store calls Warn once a day. Of a [Table], call it yourself.
func (p *Page) Warn(ctx context.Context, logger *slog.Logger) error {
	in, err := p.Read(ctx)
	if err != nil {
		return err
	}
	r := p.report(in)
	for i := range r.Versions {
		v := &r.Versions[i]
		m, left := v.Moving, v.Sunset.Sub(r.Time)
		if m == nil || v.Sunset.IsZero() || left <= 0 || left > warnFrom || m.Only+m.Both+m.Quiet == 0 && m.Unnamed == 0 {
			continue
		}
		text, _ := r.answer(v)
		logger.WarnContext(ctx, "usage: "+v.ends(r.Time)+". "+text, "code", "usage_sunset", "version", v.Version, "sunset", v.Sunset,
			"only", m.Only, "both", m.Both, "quiet", m.Quiet, "moved", m.Moved, "requests_without_client", m.Unnamed)
	}
	return nil
}
