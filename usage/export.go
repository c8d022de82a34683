package usage

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// exported is a line of the export: what was counted of a combination, with the state of the client.
type exported struct {
	Time       time.Time   `json:"time"` // of the answer
	Version    string      `json:"version"`
	Client     string      `json:"client"`          // as it is
	Other      bool        `json:"other,omitempty"` // all clients beyond the bound
	State      group       `json:"state,omitempty"` // of a deprecated version, or of one with a sunset
	Every      string      `json:"every,omitempty"`
	Next       time.Time   `json:"next_expected,omitzero"`
	Method     string      `json:"method"`
	Route      string      `json:"route"`
	OtherRoute bool        `json:"other_route,omitempty"` // all routes beyond the bound
	Outcome    string      `json:"outcome,omitempty"`     // "served" or "rejected"; none if it is only pinned
	Recent     uint64      `json:"requests_30_days"`
	Requests   uint64      `json:"requests"`
	First      time.Time   `json:"first_request,omitzero"`
	Last       time.Time   `json:"last_request,omitzero"`
	Days       []DayCount  `json:"days,omitempty"` // those of the last 30 with requests
	Exceptions []Exception `json:"exceptions,omitempty"`
	*pinned
}

// exportEnd is the last line of an answer: without it, a part is missing.
type exportEnd struct {
	Next string `json:"next"` // the cursor of the next answer, or ""
}

// cursorOf returns the cursor of a client, from which an answer begins.
func cursorOf(client string) string { return base64.RawURLEncoding.EncodeToString([]byte(client)) }

// parseCursor returns the client of a cursor.
func parseCursor(text string) (client string, err error) {
	name, err := base64.RawURLEncoding.DecodeString(text)
	if client = string(name); err != nil || !utf8.ValidString(client) || strings.IndexByte(client, 0) >= 0 {
		return "", refuse(http.StatusBadRequest, "after=%q has another form than a cursor: write the next of the last line of an answer", text)
	}
	return client, nil
}

// serveExport answers with a line for each combination of the next clients.
func serveExport(r *report, w http.ResponseWriter, pinned map[string]*pins, after string) error {
	from, err := parseCursor(after)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl")
	return stream(func(w io.Writer) error {
		out := json.NewEncoder(w)
		names, next, err := nextNames(r, r.all(), pinned, from)
		if err != nil {
			return err
		}
		if err := exportClients(r, pinned, names, out); err != nil {
			return err
		}
		return out.Encode(exportEnd{cursorOf(next)})
	}).send(w)
}

// nextNames returns the names of the next clients of some versions, and of the one after these, or "".
func nextNames(r *report, of []*versionReport, pinned map[string]*pins,
	from string) (names []string, next string, err error) {
	wanted := Wanted{From: from, Limit: fewClients + 2, NamesOnly: true} // two of them may have no name
	names = []string{}                                                   // nil would be all
	for i := range of {
		for n, err := range r.reader.Clients(r.ctx, of[i].Version, wanted) {
			if err != nil {
				return nil, "", err
			}
			names = append(names, n.Client)
		}
		names = pinned[of[i].Version].appendNames(names, &wanted)
	}
	names, next = firstNames(names)
	return names, next, nil
}

// firstNames returns the first fewClients of some names, in order, and the one after these, or "".
func firstNames(names []string) (first []string, next string) {
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > fewClients {
		return names[:fewClients], names[fewClients]
	}
	return names, ""
}

// exportClients writes the lines of some clients. It judges them alone: all of them would take much memory.
func exportClients(r *report, pinned map[string]*pins, names []string, out *json.Encoder) error {
	r.only = names
	for i := range r.Versions {
		v := &r.Versions[i]
		v.pins = pinned[v.Version].some(names)
		if err := readClients(r, v); err != nil {
			return err
		}
	}
	if err := findAccounts(r); err != nil {
		return err
	}
	for i := range r.Versions {
		v := &r.Versions[i]
		if err := judge(r, v); err != nil {
			return err
		}
		judged := make([]*movingClient, len(v.judged))
		for j := range judged {
			judged[j] = &v.judged[j]
		}
		slices.SortFunc(judged, func(a, b *movingClient) int {
			return ClientName{a.Client, a.Other}.Compare(ClientName{b.Client, b.Other})
		})
		if err := withRoutes(r, v, judged, func(c *movingClient, n *clientReport) error {
			return exportRoutes(r, v, c, n.Routes, out)
		}); err != nil {
			return err
		}
	}
	return nil
}

// inParts yields a version with its clients, judged. Many of them come in parts, in the order of their names, and are
// read again by the next list: to hold all takes much memory.
func inParts(r *report, v *versionReport, pinned map[string]*pins) iter.Seq2[*versionReport, error] {
	return func(yield func(*versionReport, error) bool) {
		if v.judged != nil && !v.many {
			yield(v, nil)
			return
		}
		defer func() { r.part, v.pins = nil, pinned[v.Version] }()
		_, next, err := nextNames(r, []*versionReport{v}, pinned, "")
		if v.many = next != ""; err != nil || !v.many {
			if err == nil {
				err = readPart(r, v, pinned[v.Version])
			}
			yield(v, err)
			return
		}
		for from, begun := "", false; !begun || from != ""; begun = true {
			r.part = &Wanted{From: from, Limit: fewClients + 2} // two of them may have no name
			err := readPart(r, v, pinned[v.Version])
			if from = r.part.Until; !yield(v, err) || err != nil {
				return
			}
			v.Clients, v.judged, v.at, v.Moving = nil, nil, nil, nil
		}
	}
}

// readPart reads and judges the clients of a version from which a part begins, or all of them.
func readPart(r *report, v *versionReport, pinned *pins) error {
	r.only, v.pins = nil, pinned
	if err := readClients(r, v); err != nil {
		return err
	}
	if err := findAccounts(r); err != nil {
		return err
	}
	if err := judge(r, v); err != nil || r.part == nil {
		return err
	}
	slices.SortFunc(v.judged, func(a, b movingClient) int { // nearly all of them are in order
		return ClientName{a.Client, a.Other}.Compare(ClientName{b.Client, b.Other})
	})
	if v.Moving != nil {
		for i := range v.judged {
			v.Moving.Clients[i] = &v.judged[i]
		}
	}
	return nil
}

// endPart ends a part behind the next fewClients, which were read or are pinned. last is the last client read, if there
// are more.
func endPart(r *report, v *versionReport, last string) {
	r.part.Limit, r.part.Until = 0, last
	names := make([]string, 0, len(v.Clients))
	for i := range v.Clients {
		if client := v.Clients[i].Client; r.part.Has(client) {
			names = append(names, client)
		}
	}
	names, next := firstNames(v.pins.appendNames(names, r.part))
	r.part.Until = cmp.Or(next, last)
	v.Clients = slices.DeleteFunc(v.Clients, func(c clientReport) bool { return !r.part.Has(c.Client) })
	v.pins = v.pins.some(names)
}

// appendNames appends the clients that have pins and are wanted.
func (p *pins) appendNames(names []string, wanted *Wanted) []string {
	if p != nil {
		for client := range p.of {
			if wanted.Has(client) {
				names = append(names, client)
			}
		}
	}
	return names
}

// some returns the pins of some clients.
func (p *pins) some(clients []string) *pins {
	if p == nil {
		return nil
	}
	some := &pins{of: map[string]*pinned{}, err: p.err, partial: true}
	for _, client := range clients {
		if of := p.of[client]; of != nil {
			some.of[client] = of
		}
	}
	return some
}

func exportRoutes(r *report, v *versionReport, c *movingClient, routes []routeReport, out *json.Encoder) error {
	line := exported{Time: r.Time, Version: v.Version, Client: c.Client, Other: c.Other, Exceptions: c.Exceptions,
		pinned: c.pinned}
	if v.Moving != nil {
		line.State, line.Every, line.Next = c.Group, c.Every, c.Next
	}
	if len(routes) == 0 { // it is only pinned
		return out.Encode(line)
	}
	for i := range routes {
		n := &routes[i]
		if line.Outcome = "served"; n.Rejected > 0 {
			line.Outcome = "rejected"
		}
		line.Method, line.Route, line.OtherRoute = n.Method, n.Route, n.Other
		line.Recent, line.Requests, line.First, line.Last = n.Recent, n.Requests, n.FirstSeen, n.LastSeen
		line.Days = line.Days[:0]
		for j, requests := range n.Days {
			if requests > 0 {
				day := r.Time.AddDate(0, 0, j+1-len(n.Days))
				line.Days = append(line.Days, DayCount{day.Format(time.DateOnly), requests})
			}
		}
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
