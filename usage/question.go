package usage

import "time"

// Days without a request after which a quiet client is asked whether it still needs the version: a monthly job is
// overdue then.
const (
	askAfter       = 45
	askRarelyAfter = 60 // if it calls more rarely
)

// question is what the gate waits for: the answer of a client that calls no more. It is recorded as an [Exception].
type question struct {
	Client   string    `json:"client"`
	LastSeen time.Time `json:"last_seen"`
	Routes   []string  `json:"routes,omitempty"` // the first that are left, if it has moved the rest
}

// askAt returns when a quiet client is asked.
func (c *movingClient) askAt() time.Time {
	const month = 35 * 24 * time.Hour
	if c.Every != "" && c.Next.Sub(c.LastSeen) > month {
		return c.LastSeen.AddDate(0, 0, askRarelyAfter)
	}
	return c.LastSeen.AddDate(0, 0, askAfter)
}

// ask adds the question to a quiet client, if it is time.
func (ready *readiness) ask(c *movingClient, now time.Time) {
	if c.Client == "" || now.Before(c.askAt()) {
		return
	}
	q := question{Client: c.Client, LastSeen: c.LastSeen}
	if c.part {
		for _, l := range c.Left[:min(len(c.Left), maxLeftEach)] {
			q.Routes = append(q.Routes, l.Route)
		}
	}
	ready.Questions = append(ready.Questions, q)
}

// Ask returns which clients to ask, and until when, or "". No answer opens the gate earlier.
func (ready *readiness) Ask() string {
	if ready.Questions == nil {
		return ""
	}
	var names []string
	for _, q := range ready.Questions {
		names = append(names, nameOf(q.Client, false))
	}
	by := ""
	if !ready.AskBy.IsZero() {
		by = " by " + date(ready.AskBy)
	}
	return "Ask " + plural(len(names), "client", "clients") + by + " whether they still need it, and record each answer: " + some(names)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// askBy returns when 30 days without a call and with counting are over: no answer is needed before.
func askBy(r *report, last time.Time) time.Time {
	if last.Before(r.Since) {
		last = r.Since
	}
	if by := last.Add(silence); by.After(r.Time) {
		return by
	}
	return time.Time{}
}
