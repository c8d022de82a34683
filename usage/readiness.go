package usage

import "time"

// Times of the rule of readiness.
const (
	silence   = RecentDays * 24 * time.Hour // for which no client may have called the version
	lateAfter = 15 * time.Minute            // a process may have been killed, with counts, if it is silent for longer
	forgiven  = 24 * time.Hour              // after which that no longer matters
)

const (
	maxLeftEach  = 10  // routes of a client, in the answer of the gate
	maxLeftAsked = 100 // and in its question: an answer for fewer than are left would not be the last one
)

// readiness is whether a version may end.
type readiness struct {
	Ready    bool          `json:"ready"`
	Version  string        `json:"version,omitempty"`      // of the answer of the gate, for those who file it
	Time     time.Time     `json:"time,omitzero"`          // of the answer
	Since    time.Time     `json:"counted_since,omitzero"` // which the answer knows of
	Reasons  []string      `json:"reasons,omitempty"`      // why not
	Clients  []readyClient `json:"clients,omitempty"`      // that are a reason
	Excepted []readyClient `json:"excepted,omitempty"`     // that would be one
	More     int           `json:"more,omitempty"`         // clients of these lists, of which each has 100
	NotFound []string      `json:"not_found,omitempty"`    // excepted names without an effect
	// Questions are those whose answers open the gate, if no other client calls, 100 at most; AskBy is when they are needed.
	Questions []question `json:"questions,omitempty"`
	AskBy     time.Time  `json:"ask_by,omitzero"`
	asked     few        // of all questions
	Unseen    string     `json:"unseen,omitempty"` // what cannot be known yet
	Note      string     `json:"note,omitempty"`   // why the version may end although clients call it
}

type readyClient struct {
	Client     string      `json:"client"` // "": not known
	Other      bool        `json:"other,omitempty"`
	Recent     uint64      `json:"requests_30_days"`
	LastSeen   time.Time   `json:"last_seen,omitzero"`
	Every      string      `json:"every,omitempty"`
	Next       time.Time   `json:"next_expected,omitzero"`
	Left       []routeLeft `json:"routes_left,omitempty"`      // the first of them
	MoreLeft   int         `json:"routes_left_more,omitempty"` // and how many more there are
	Route      string      `json:"route,omitempty"`            // that it used most, if it called the version
	Why        string      `json:"why"`                        // it is a reason: "pinned", "called" or "quiet"; or what excepts it
	Exceptions []Exception `json:"exceptions,omitempty"`
	*pinned

	of *movingClient
}

// quietText returns when a quiet client called, and when it is expected.
func (n *readyClient) quietText(part bool) string {
	if part {
		return nameOf(n.Client, n.Other) + " (" + n.Left[0].Route + ": " + n.Left[0].Short() + ")"
	}
	text := nameOf(n.Client, n.Other) + " (last request on " + date(n.LastSeen)
	if n.Every != "" {
		text += ", " + n.Every + ", next expected about " + date(n.Next)
	}
	return text + ")"
}

// question is what the gate waits for: the answer of a client that calls no more. It is recorded as an [Exception].
type question struct {
	Client     string    `json:"client"`
	LastSeen   time.Time `json:"last_seen"`
	Unknown    string    `json:"unknown,omitempty"`     // as in versionAdvice
	Routes     []string  `json:"routes,omitempty"`      // that are left, if it has moved the rest
	MoreRoutes int       `json:"routes_more,omitempty"` // beyond 100 of them
}

// Ask returns which clients to ask, and until when, or "". No answer opens the gate earlier.
func (ready *readiness) Ask() string {
	if ready.Questions == nil {
		return ""
	}
	by := ""
	if !ready.AskBy.IsZero() {
		by = " by " + date(ready.AskBy)
	}
	return "Ask " + plural(ready.asked.n, "client", "clients") + by + " whether they still need it, and record each answer: " + ready.asked.String()
}
