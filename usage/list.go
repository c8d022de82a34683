package usage

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// listView is the list of the clients of a version, or of those that a search finds.
type listView struct {
	Time    time.Time       `json:"time"`
	Version string          `json:"version"`
	Query   string          `json:"q,omitempty"`
	State   group           `json:"state,omitempty"`
	Clients []*movingClient `json:"clients"`

	of     *versionReport
	report *report
	page   int
}

// listOf returns the list that a query asks for, without its clients.
func listOf(r *report, query url.Values) (*listView, error) {
	v, err := endingVersion(r, query.Get("clients"))
	if err != nil {
		return nil, err
	}
	state := group(query.Get("state"))
	page, pageErr := strconv.Atoi(cmp.Or(query.Get("page"), "1"))
	switch {
	case state != "" && checkState(state) != nil:
		return nil, checkState(state)
	case pageErr != nil || page < 1 || page > 1_000_000:
		return nil, refuse(http.StatusBadRequest, "page=%q is not a page: write a number from 1 on", query.Get("page"))
	}
	return &listView{of: v, Time: r.Time, Version: v.Version, Query: query.Get("q"), State: state,
		Clients: []*movingClient{}, report: r, page: page}, nil
}

// endingVersion returns a version whose clients have to move.
func endingVersion(r *report, version string) (*versionReport, error) {
	for i := range r.Versions {
		if v := &r.Versions[i]; v.Version == version && v.moves() {
			return v, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "version %q is not deprecated and has no sunset", version)
}

// checkState refuses what a query cannot ask for.
func checkState(state group) error {
	if state != groupBreaks && !slices.Contains(groups, state) {
		return refuse(http.StatusBadRequest, "unknown state %q: use %s, %s", state, groupBreaks,
			strings.ReplaceAll(strings.Trim(fmt.Sprint(groups), "[]"), " ", ", "))
	}
	return nil
}

// has reports whether the search finds a client, by its name as it is or as it is shown.
func (l *listView) has(c *movingClient) bool {
	query := strings.ToLower(l.Query)
	return (l.State == "" || l.State.has(c.Group)) &&
		(strings.Contains(strings.ToLower(c.Name()), query) || strings.Contains(strings.ToLower(c.Client), query))
}

// Shown returns the clients of this page of the list.
func (l *listView) Shown() []*movingClient {
	from := min(len(l.Clients), (l.page-1)*clientsOnPage)
	return l.Clients[from:min(len(l.Clients), from+clientsOnPage)]
}

// Range returns which clients are shown: "101–200 of 1,000".
func (l *listView) Range() string {
	shown := len(l.Shown())
	if shown == 0 {
		return "none of " + number(uint64(len(l.Clients)))
	}
	from := (l.page - 1) * clientsOnPage
	return fmt.Sprintf("%d–%d of %s", from+1, from+shown, number(uint64(len(l.Clients))))
}

// Link returns the address of another page of the list, given in pages from this one, or ""
// if there is none.
func (l *listView) Link(after int) string {
	page := l.page + after
	if page < 1 || (page-1)*clientsOnPage >= len(l.Clients) {
		return ""
	}
	return listLink(l.Version, l.State, l.Query) + "&page=" + strconv.Itoa(page)
}

// Export returns the address of the whole list in a format.
func (l *listView) Export(format string) string {
	return listLink(l.Version, l.State, l.Query) + "&format=" + format
}

func listLink(version string, state group, search string) string {
	link := "?clients=" + url.QueryEscape(version)
	if state != "" {
		link += "&state=" + string(state)
	}
	if search != "" {
		link += "&q=" + url.QueryEscape(search)
	}
	return link
}

func (l *listView) Name() string { return printable(l.Version) }

func (l *listView) Period() string { return l.of.Moving.Period() }

func (l *listView) States() []group { return append([]group{groupBreaks}, groups...) }

func (l *listView) Contact(client string) *contact { return l.report.contactOf(client) }
