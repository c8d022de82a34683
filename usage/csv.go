package usage

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"
)

// writeCSV writes a line for each route of each client (RFC 4180), separately for
// served and for rejected requests.
func (r *report) writeCSV(w io.Writer) error {
	lines := csv.NewWriter(w)
	_ = lines.Write([]string{"version", "client", "method", "route", "outcome", "requests_30_days", "requests", "first_request", "last_request"})
	for _, v := range r.Versions {
		for _, c := range v.Clients {
			for _, route := range c.Routes {
				outcome := "served"
				if route.Rejected > 0 {
					outcome = "rejected"
				}
				_ = lines.Write([]string{
					cellText(v.Version), cellText(c.Name()), cellText(route.Method), cellText(route.name()), outcome,
					strconv.FormatUint(route.Recent, 10), strconv.FormatUint(route.Requests, 10), timeText(route.FirstSeen), timeText(route.LastSeen),
				})
			}
		}
	}
	lines.Flush()
	return lines.Error()
}

// timeText returns a time, or "" for the zero time.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// cellText returns text that a spreadsheet does not read as a formula.
func cellText(text string) string {
	if text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
		return "'" + text
	}
	return text
}
