package usage

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
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
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	*pinned
}

// serveLetters answers ?letters=v1 with a line for each client that breaks when
// the version ends, or has the state: CSV, or JSON Lines.
func (p *Page) serveLetters(w http.ResponseWriter, r *report, query url.Values, format string) error {
	version, state := query.Get("letters"), group(query.Get("state"))
	at := slices.IndexFunc(r.Versions, func(v versionReport) bool { return v.Version == version && v.Moving != nil })
	if at < 0 {
		return refuse(http.StatusNotFound, "version %q is not deprecated and has no sunset", version)
	}
	state = cmp.Or(state, groupBreaks)
	if err := checkState(state); err != nil {
		return err
	}
	v := &r.Versions[at]
	var each func(l *letter) error
	var out *csv.Writer
	if format == "csv" {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="letters-`+r.Time.Format("2006-01-02")+`.csv"`)
		out = csv.NewWriter(w)
		header := []string{"client", "version", "state", "requests_30_days", "last_request", "every", "next_expected",
			"contact", "contact_link", "subject", "text"}
		if r.pinned {
			header = append(header, "pinned")
		}
		_ = out.Write(header)
		each = func(l *letter) error {
			to := contact{}
			if l.Contact != nil {
				to = *l.Contact
			}
			line := []string{
				cellText(l.Client), cellText(l.Version), string(l.State), strconv.FormatUint(l.Recent, 10),
				timeText(l.Last), l.Every, timeText(l.Next),
				cellText(to.Text), cellText(to.Link), l.Subject, l.Text,
			}
			if r.pinned {
				line = append(line, cellText(strings.Join(l.Texts(), ", ")))
			}
			return out.Write(line)
		}
	} else {
		w.Header().Set("Content-Type", "application/jsonl")
		encoder := json.NewEncoder(w)
		each = func(l *letter) error { return encoder.Encode(l) }
	}
	if r.letters(p, v, state.has, each) != nil {
		panic(http.ErrAbortHandler) // a part must not look like the whole
	}
	if out != nil {
		out.Flush()
	}
	return nil
}

// letters calls each for each client of a group. It reads the routes of some clients at once.
func (r *report) letters(p *Page, v *versionReport, want func(group) bool, each func(*letter) error) error {
	for some := range slices.Chunk(v.Moving.Clients, clientsAtOnce) {
		var names []ClientName
		for i := range some {
			if c := some[i]; c.Client != "" && c.counted != "" && want(c.Group) {
				names = append(names, ClientName{c.Client, c.Other})
			}
		}
		var found map[clientKey]*clientReport
		if r.reader != nil && names != nil {
			var err error
			if found, err = r.addRoutes(v, names); err != nil {
				return err
			}
		}
		for i := range some {
			c := some[i]
			if c.Client == "" || !want(c.Group) {
				continue
			}
			client := v.client(c)
			routes := client.Routes
			if read := found[clientKey{c.Client, c.Other}]; read != nil {
				routes = read.Routes
			}
			advice := clientAdvice{Time: r.Time, Since: r.Since, Client: c.Client, Contact: r.contactOf(c.Client),
				Versions: []versionAdvice{p.advise(r, v, c, routes, client.Recent)}}
			if err := each(&letter{c.Client, v.Version, c.Group, client.Recent, c.LastSeen, c.Every, c.Next,
				advice.Contact, advice.Subject(), advice.Text(), c.pinned}); err != nil {
				return err
			}
		}
	}
	return nil
}
