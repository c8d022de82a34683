package usage

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// letter is a line of the file for those who write to all clients.
type letter struct {
	Client  string    `json:"client"` // as it is: for a comparison with a list of accounts
	Version string    `json:"version"`
	State   group     `json:"state"`
	Recent  uint64    `json:"requests_30_days"`
	Last    time.Time `json:"last_request,omitzero"`
	Every   string    `json:"every,omitempty"`
	Next    time.Time `json:"next_expected,omitzero"`
	Contact *contact  `json:"contact,omitempty"`
	News    time.Time `json:"news"`          // since when the letter has this content
	Ask     bool      `json:"ask,omitempty"` // it asks whether a client that calls no more still needs the version
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	*pinned
}

// serveLetters answers ?letters=v1 with a line for each client that breaks when
// the version ends, or has the state: CSV, or JSON Lines.
func serveLetters(w http.ResponseWriter, r *report, pinned map[string]*pins, query url.Values, format string) error {
	v, err := endingVersion(r, query.Get("letters"))
	if err != nil {
		return err
	}
	state := cmp.Or(group(query.Get("state")), groupBreaks)
	if err := checkState(state); err != nil {
		return err
	}
	var from time.Time
	if query.Has("since") {
		from, err = time.Parse(time.DateOnly, query.Get("since"))
	}
	if err != nil {
		return refuse(http.StatusBadRequest, "since=%q: write the day on which letters were last read, such as %s",
			query.Get("since"), r.Time.Format(time.DateOnly))
	}
	all := func(each func(l *letter) error) error {
		for v, err := range inParts(r, v, pinned) {
			if err == nil {
				err = lettersOf(r, v, state.has, from, each)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if format == "csv" {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="letters-`+r.Time.Format("2006-01-02")+`.csv"`)
		return stream(func(w io.Writer) error { return writeLetters(w, r.pinned, all) }).send(w)
	}
	w.Header().Set("Content-Type", "application/jsonl")
	return stream(func(w io.Writer) error {
		out := json.NewEncoder(w)
		return all(func(l *letter) error { return out.Encode(l) })
	}).send(w)
}

// writeLetters writes letters as CSV.
func writeLetters(w io.Writer, pinned bool, all func(each func(l *letter) error) error) error {
	out := csv.NewWriter(w)
	header := []string{"client", "version", "state", "requests_30_days", "last_request", "every", "next_expected",
		"contact", "contact_link", "subject", "text"}
	_ = out.Write(withPins(header, pinned, "pinned"))
	err := all(func(l *letter) error {
		to := contact{}
		if l.Contact != nil {
			to = *l.Contact
		}
		line := []string{
			cellText(l.Client), cellText(l.Version), string(l.State), strconv.FormatUint(l.Recent, 10),
			timeText(l.Last), l.Every, timeText(l.Next), cellText(to.Text), cellText(to.Link), l.Subject, l.Text,
		}
		return out.Write(withPins(line, pinned, l.Texts()...))
	})
	out.Flush()
	return cmp.Or(err, out.Error())
}

// lettersOf calls each for each client of a group whose letter has another content since a day.
func lettersOf(r *report, v *versionReport, want func(group) bool, from time.Time, each func(*letter) error) error {
	clients := slices.DeleteFunc(slices.Clone(v.Moving.Clients),
		func(c *movingClient) bool { return c.Client == "" || !want(c.Group) })
	return withRoutes(r, v, clients, func(c *movingClient, n *clientReport) error {
		news := newsOf(r, v, c, n)
		if news.Before(from) {
			return nil
		}
		recent := v.client(c).Recent
		advice := clientAdvice{Time: r.Time, Since: r.Since, Client: c.Client, Contact: r.contactOf(c.Client),
			Versions: []versionAdvice{advise(r, v, c, n.Routes, recent)}}
		return each(&letter{c.Client, v.Version, c.Group, recent, c.LastSeen, c.Every, c.Next, advice.Contact,
			news, c.asks(r.Time), advice.Subject(), advice.Text(), c.pinned})
	})
}

// newsOf returns since when the letter to a client has its content: the deprecation, the first request for a route,
// or the first after the client had moved, the end of an exception, the question whether it still needs the
// version, and the last 30 days before the sunset.
func newsOf(r *report, v *versionReport, c *movingClient, n *clientReport) time.Time {
	var news time.Time
	add := func(at time.Time) {
		if !at.After(r.Time) {
			news = later(news, at)
		}
	}
	add(v.Deprecated)
	for _, route := range n.Routes {
		add(route.FirstSeen)
	}
	add(timeOf(max(0, c.since)))
	for _, e := range v.excepted[c.Client] {
		add(e.Until)
	}
	if c.pinned != nil {
		add(c.pinned.since)
	}
	if c.Group == groupQuiet {
		add(c.askAt())
	}
	if !v.Sunset.IsZero() {
		add(v.Sunset.Add(-warnFrom))
	}
	return news
}
