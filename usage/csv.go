package usage

import (
	"cmp"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"
)

// writeCSV writes a line for each route of each chosen client (RFC 4180), separately for
// served and for rejected requests. With a reader, it reads the routes of some clients at
// once.
func (r *report) writeCSV(w io.Writer, keep func(v *versionReport, c *movingClient) bool) error {
	out := csv.NewWriter(w)
	header := []string{
		"version", "client", "method", "route", "outcome", "requests_30_days", "requests", "first_request",
		"last_request",
		"state", "every", "next_expected", "contact", "contact_link",
	}
	if r.pinned {
		header = append(header, "pinned")
	}
	_ = out.Write(header)
	for i := range r.Versions {
		v := &r.Versions[i]
		atOnce := len(v.judged)
		if r.reader != nil {
			atOnce = clientsAtOnce
		}
		for from := 0; from < len(v.judged); from += atOnce {
			until := min(len(v.judged), from+atOnce)
			var found map[clientKey]*clientReport
			if r.reader != nil {
				var names []ClientName
				for j := from; j < until; j++ {
					if c := &v.judged[j]; keep(v, c) && c.counted != "" {
						names = append(names, ClientName{c.Client, c.Other})
					}
				}
				if names != nil {
					var err error
					if found, err = r.addRoutes(v, names); err != nil {
						return err
					}
				}
			}
			for j := from; j < until; j++ {
				c := v.judged[j]
				if !keep(v, &c) {
					continue
				}
				routes := v.client(&c).Routes
				if client := found[clientKey{c.Client, c.Other}]; client != nil {
					routes = client.Routes
				}
				r.writeRoutes(out, v, &c, routes)
			}
			if out.Flush(); out.Error() != nil {
				return out.Error() // the client has disconnected
			}
		}
	}
	out.Flush()
	return out.Error()
}

func (r *report) writeRoutes(out *csv.Writer, v *versionReport, c *movingClient, routes []routeReport) {
	if v.Moving == nil {
		c.Group, c.Every, c.Next = "", "", time.Time{}
	}
	to := contact{}
	if found := r.contactOf(c.Client); found != nil {
		to = *found
	}
	write := func(method, name, outcome string, n counts) {
		line := []string{
			cellText(v.Version), cellText(cmp.Or(c.Client, c.Name())), cellText(method), cellText(name), outcome,
			strconv.FormatUint(n.Recent, 10), strconv.FormatUint(n.Requests, 10), timeText(n.FirstSeen),
			timeText(n.LastSeen),
			string(c.Group), c.Every, timeText(c.Next), cellText(to.Text), cellText(to.Link),
		}
		if r.pinned {
			line = append(line, cellText(strings.Join(c.Texts(), ", ")))
		}
		_ = out.Write(line)
	}
	if len(routes) == 0 && c.counted == "" { // it is only pinned
		write("", "", "", counts{})
	}
	for _, route := range routes {
		outcome := "served"
		if route.Rejected > 0 {
			outcome = "rejected"
		}
		write(route.Method, cmp.Or(route.Route, route.name()), outcome, route.counts)
	}
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
	if text != "" && strings.IndexByte("=+-@\t\r", text[0]) >= 0 {
		return "'" + text
	}
	return text
}
