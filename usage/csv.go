package usage

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// writeCSV writes a line for each route of each chosen client of some versions (RFC 4180), separately for
// served and for rejected requests.
func writeCSV(r *report, w io.Writer, pinned map[string]*pins, keep func(*movingClient) bool,
	versions ...*versionReport) error {
	out := csv.NewWriter(w)
	header := []string{
		"version", "client", "method", "route", "outcome", "requests_30_days", "requests", "first_request",
		"last_request", "state", "every", "next_expected", "contact", "contact_link",
	}
	_ = out.Write(withExceptions(r, withPins(header, r.pinned, "pinned"), "exceptions"))
	for _, v := range versions {
		for v, err := range inParts(r, v, pinned) {
			if err != nil {
				return err
			}
			var kept []*movingClient
			for j := range v.judged {
				if c := &v.judged[j]; keep(c) {
					kept = append(kept, c)
				}
			}
			if err := withRoutes(r, v, kept, func(c *movingClient, n *clientReport) error {
				return writeRoutes(r, out, v, *c, n.Routes)
			}); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

func writeRoutes(r *report, out *csv.Writer, v *versionReport, c movingClient, routes []routeReport) error {
	if v.Moving == nil {
		c.Group, c.Every, c.Next = "", "", time.Time{}
	}
	to := contact{}
	if found := r.contactOf(c.Client); found != nil {
		to = *found
	}
	var texts []string
	for _, e := range c.Exceptions {
		texts = append(texts, exceptionText(e))
	}
	write := func(method, name, outcome string, n counts) {
		line := []string{
			cellText(v.Version), cellText(cmp.Or(c.Client, c.Name())), cellText(method), cellText(name), outcome,
			strconv.FormatUint(n.Recent, 10), strconv.FormatUint(n.Requests, 10), timeText(n.FirstSeen),
			timeText(n.LastSeen), string(c.Group), c.Every, timeText(c.Next), cellText(to.Text), cellText(to.Link),
		}
		_ = out.Write(withExceptions(r, withPins(line, r.pinned, c.Texts()...), texts...))
	}
	if len(routes) == 0 { // it is only pinned
		write("", "", "", counts{})
	}
	for _, route := range routes {
		outcome := "served"
		if route.Rejected > 0 {
			outcome = "rejected"
		}
		write(route.Method, cmp.Or(route.Route, route.name()), outcome, route.counts)
	}
	return out.Error() // the client may have disconnected
}

// withExceptions adds the column of what people have answered to a line, if there is an exception.
func withExceptions(r *report, line []string, texts ...string) []string {
	if slices.ContainsFunc(r.Versions, func(v versionReport) bool { return v.excepted != nil }) {
		line = append(line, cellText(strings.Join(texts, "; ")))
	}
	return line
}

// withPins adds the column of what is pinned to a line, if the service reports pins.
func withPins(line []string, reports bool, texts ...string) []string {
	if reports {
		line = append(line, cellText(strings.Join(texts, ", ")))
	}
	return line
}
