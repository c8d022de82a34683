package usage

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"
)

// writeCSV writes a line for each route of each chosen client (RFC 4180), separately for
// served and for rejected requests.
func (r *report) writeCSV(w io.Writer, keep func(v *versionReport, c *movingClient) bool) error {
	lines := [][]string{{
		"version", "client", "method", "route", "outcome", "requests_30_days", "requests", "first_request", "last_request",
		"state", "every", "next_expected", "contact", "contact_link",
	}}
	for i := range r.Versions {
		v := &r.Versions[i]
		for j, client := range v.Clients {
			c := v.judged[j]
			if !keep(v, &c) {
				continue
			}
			if v.Moving == nil {
				c.Group, c.Every, c.Next = "", "", time.Time{}
			}
			to := contact{}
			if found := r.contactOf(c.Client); found != nil {
				to = *found
			}
			for _, route := range client.Routes {
				outcome := "served"
				if route.Rejected > 0 {
					outcome = "rejected"
				}
				lines = append(lines, []string{
					cellText(v.Version), cellText(c.Name()), cellText(route.Method), cellText(route.name()), outcome,
					strconv.FormatUint(route.Recent, 10), strconv.FormatUint(route.Requests, 10), timeText(route.FirstSeen), timeText(route.LastSeen),
					string(c.Group), c.Every, timeText(c.Next), cellText(to.Text), cellText(to.Link),
				})
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
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
