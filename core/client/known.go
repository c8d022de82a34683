package client

import (
	"hash/maphash"
	"math"
	"net/http"
	"sync"
	"time"

	verso "github.com/goverso/verso/core"
)

// Bounds of what is remembered of answers.
const (
	maxKnown      = 1024    // different answers
	maxKnownBytes = 4 << 10 // of the fields of one
)

// known are answers that say nothing new, by the bytes of what was read. Most
// answers of a service say the same, and are not read again.
type known struct {
	mu      sync.RWMutex
	answers map[uint64]period
}

// period is when an answer means the same: from a second on, and before another.
type period struct{ from, until int64 }

var seed = maphash.MakeSeed()

// keyOf returns the key of an answer. ok is false for one that is always read:
// it is large, or of a version that may be switched off.
func (t *Transport) keyOf(sent *http.Request, response *http.Response, asked verso.Version) (key uint64, ok bool) {
	if response.StatusCode == http.StatusGone || response.StatusCode == http.StatusServiceUnavailable {
		return 0, false
	}
	var hash maphash.Hash
	hash.SetSeed(seed)
	size := 0
	for _, lines := range [...][]string{
		{sent.URL.Host, asked.String()}, response.Header[deprecationField], response.Header[sunsetField], response.Header[supportedField],
		response.Header[deprecatedField], t.servedLines(response.Header), response.Header["Link"],
	} {
		for _, line := range lines {
			if size += len(line) + 1; size > maxKnownBytes {
				return 0, false
			}
			_, _ = hash.WriteString(line)
			_ = hash.WriteByte('\n') // no line has one
		}
		_ = hash.WriteByte('\n')
	}
	return hash.Sum64(), true
}

// has reports whether an answer says nothing new.
func (k *known) has(key uint64, now time.Time) bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	p, ok := k.answers[key]
	return ok && p.from <= now.Unix() && now.Unix() < p.until
}

// add remembers an answer that leads to the notice.
func (k *known) add(key uint64, n *Notice, now time.Time) {
	p := period{math.MinInt64, math.MaxInt64}
	if n.DeprecatedAt != nil {
		if at := n.DeprecatedAt.Unix(); at <= now.Unix() {
			p.from = at
		} else {
			p.until = at
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.answers == nil {
		k.answers = make(map[uint64]period)
	}
	if _, ok := k.answers[key]; ok || len(k.answers) < maxKnown {
		k.answers[key] = p
	}
}
