package usage

import (
	"context"
	_ "embed"
	"log/slog"
	"strings"
	"text/template"
	"time"
)

// metrics writes gauges in the format of OpenMetrics 1.0, for each version with a deprecation
// or a sunset. No label has the name of a client, so that a version has at most thirteen
// series.
var metrics = template.Must(template.New("metrics").Funcs(template.FuncMap{"label": labelEscaper.Replace}).Parse(metricsText))

//go:embed metrics.txt
var metricsText string

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// warnFrom is how long before a sunset Warn begins.
const warnFrom = 30 * 24 * time.Hour

// Warn logs each version that ends within 30 days and whose end would break clients, with
// the code usage_sunset. Of a [Table], call it once a day.
func (p *Page) Warn(ctx context.Context, logger *slog.Logger) error {
	_, err := p.Judge(ctx, logger)
	return err
}

// Judge warns, as [Page.Warn] does, and returns what a store records once a day of each version
// that ends.
func (p *Page) Judge(ctx context.Context, logger *slog.Logger) (judged []Judged, err error) {
	r, err := p.ending(ctx)
	if err != nil {
		return nil, err
	}
	for i := range r.Versions {
		v := &r.Versions[i]
		m, left := v.Moving, v.Sunset.Sub(r.Time)
		if m == nil {
			continue
		}
		judged = append(judged, v.record(r.Time))
		if v.Sunset.IsZero() || left <= 0 || left > warnFrom ||
			m.Only+m.Both+m.Quiet+m.Pinned == 0 && m.Unnamed == 0 && v.unread() == "" {
			continue
		}
		text, _ := answerOf(&r, v)
		logger.WarnContext(ctx, "usage: "+v.ends(r.Time)+". "+text, "code", "usage_sunset", "version", v.Version,
			"sunset", v.Sunset, "only", m.Only, "both", m.Both, "quiet", m.Quiet, "moved", m.Moved, "requests_without_client", m.Unnamed)
	}
	return judged, nil
}

// record returns what is recorded of a version that ends.
func (v *versionReport) record(now time.Time) Judged {
	m := v.Moving
	j := Judged{Left: Left{now.UTC().Format(time.DateOnly), v.Version, m.Only, m.Both, m.Quiet, m.Pinned, m.Told,
		m.Moved}}
	for _, c := range m.Clients {
		switch name := (ClientName{c.Client, c.Other}); {
		case c.counted == "", c.counted == groupTold && c.since > 0: // nothing of pins; a client that got 410 is not new later
		case c.counted.Breaks() && c.since <= 0:
			j.Breaks = append(j.Breaks, name)
		case !c.counted.Breaks() && c.since >= 0:
			j.Safe = append(j.Safe, name)
		}
	}
	return j
}

// ending returns a report of the versions that end.
func (p *Page) ending(ctx context.Context) (report, error) {
	pins := p.pinned(ctx, "", "")
	reader, err := p.Open(ctx)
	if err != nil {
		return report{}, err
	}
	defer reader.Close()
	return p.report(ctx, reader, pins, (*versionReport).moves)
}

// reporting is how many processes of a region report, and how many are silent.
type reporting struct {
	Region          string
	Running, Silent int
}

// Reporting returns how many processes of each region report.
func (r *report) Reporting() []reporting {
	all := make([]reporting, len(r.counted))
	for i := range r.counted {
		of := &all[i]
		of.Region = r.counted[i].region
		for _, p := range r.Processes {
			switch {
			case p.region != of.Region || p.Ended:
			case p.Silent > lateAfter:
				of.Silent++
			default:
				of.Running++
			}
		}
	}
	return all
}

// Running returns how many processes report.
func (r *report) Running() (n int) {
	for _, of := range r.Reporting() {
		n += of.Running
	}
	return n
}
