package usage

import (
	"context"
	"log/slog"
)

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
