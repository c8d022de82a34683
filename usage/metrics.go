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
// or a sunset. No label has the name of a client, so that a version has at most ten
// series.
var metrics = template.Must(template.New("metrics").Funcs(template.FuncMap{"label": labelEscaper.Replace}).Parse(metricsText))

//go:embed metrics.txt
var metricsText string

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// warnFrom is how long before a sunset Warn begins.
const warnFrom = 30 * 24 * time.Hour

// Warn logs each version that ends within 30 days and whose end would break clients, with
// the code usage_sunset. A store calls Warn once a day. Of a [Table], call it yourself.
func (p *Page) Warn(ctx context.Context, logger *slog.Logger) error {
	r, err := p.ending(ctx)
	if err != nil {
		return err
	}
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

// ending returns a report of the versions that end.
func (p *Page) ending(ctx context.Context) (report, error) {
	if p.Open != nil {
		reader, err := p.Open(ctx)
		if err != nil {
			return report{}, err
		}
		if reader != nil {
			defer reader.Close()
			return p.lean(ctx, reader, (*versionReport).moves)
		}
	}
	in, err := p.Read(ctx)
	if err != nil {
		return report{}, err
	}
	return p.report(in), nil
}

// Names returns how many clients have a name, and Bound how many can have one.
func (r *report) Names() int { return r.names }
func (r *report) Bound() int { return r.bound }

// RunningProcesses returns how many processes have not ended, and have reported lately,
// SilentProcesses how many have not.
func (r *report) RunningProcesses() int { return r.processes(false) }
func (r *report) SilentProcesses() int  { return r.processes(true) }

func (r *report) processes(silent bool) (n int) {
	for _, p := range r.Processes {
		if !p.Ended && p.Silent > lateAfter == silent {
			n++
		}
	}
	return n
}
