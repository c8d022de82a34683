package client

import (
	"hash/maphash"
	"strings"
	"sync"
	"time"
)

// maxReported is how many notices are remembered, so that a service that varies its
// fields fills neither memory nor logs.
const maxReported = 1024

// minInterval is the minimum time between reports of a version that is switched off.
const minInterval = time.Hour

// reported holds the notices that were reported.
type reported struct {
	mu    sync.Mutex
	until map[uint64]time.Time // by content: when to report it again; zero: never
}

// add keeps the notice if it is new. isLast reports that no further one fits.
func (r *reported) add(n *Notice, now time.Time) (isNew, isLast bool) {
	key := n.key()
	r.mu.Lock()
	defer r.mu.Unlock()
	until, isKnown := r.until[key]
	if isKnown && (until.IsZero() || now.Before(until)) || !isKnown && len(r.until) >= maxReported {
		return false, false
	}
	until = time.Time{}
	if n.RetryAfter > 0 {
		until = now.Add(max(n.RetryAfter, minInterval))
	}
	if r.until == nil {
		r.until = make(map[uint64]time.Time)
	}
	r.until[key] = until
	return true, !isKnown && len(r.until) == maxReported
}

var seed = maphash.MakeSeed()

// key returns a hash of the content of the notice: see [Notice].
func (n *Notice) key() uint64 {
	return maphash.Comparable(seed, [...]any{
		n.Level, n.Host, n.Asked, n.Served, strings.Join(n.Newer, ","),
		n.Deprecated, second(n.DeprecatedAt), second(n.SunsetAt), n.RetryAfter > 0,
	})
}

// second returns the second of a date; nil has a second that no date has.
func second(date *time.Time) int64 {
	if date == nil {
		return firstSecond - 1
	}
	return date.Unix()
}
