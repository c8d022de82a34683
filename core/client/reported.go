package client

import (
	"context"
	"hash/maphash"
	"log"
	"log/slog"
	"sync"
	"time"
)

// maxReported is how many notices are kept, so that a service that says something
// else each time fills neither memory nor logs.
const maxReported = 1024

// again is how long a version that is switched off is not reported again, at
// least.
const again = time.Hour

// reported are the notices that were reported.
type reported struct {
	mu    sync.Mutex
	until map[uint64]time.Time // by content: when it would be news again; zero: never
}

// novelty is whether a notice is news.
type novelty uint8

const (
	isKnown novelty = iota
	isNew
	isTooMuch
)

// add says whether the notice is news, and keeps it.
func (r *reported) add(n *Notice, now time.Time) novelty {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.until == nil {
		r.until = make(map[uint64]time.Time)
	}
	key := n.key()
	until, known := r.until[key]
	switch {
	case known && (until.IsZero() || now.Before(until)):
		return isKnown
	case !known && len(r.until) >= maxReported:
		return isTooMuch
	}
	until = time.Time{}
	if n.RetryAfter > 0 {
		until = now.Add(max(n.RetryAfter, again))
	}
	r.until[key] = until
	return isNew
}

// key returns a hash of the content of the notice: see [Notice].
func (n *Notice) key() uint64 {
	var hash maphash.Hash
	hash.SetSeed(seed)
	text := func(texts ...string) {
		for _, text := range texts {
			maphash.WriteComparable(&hash, text)
		}
	}
	date := func(t *time.Time) {
		if t != nil {
			maphash.WriteComparable(&hash, t.Unix())
		} else {
			maphash.WriteComparable(&hash, false)
		}
	}
	maphash.WriteComparable(&hash, n.Level)
	maphash.WriteComparable(&hash, n.Deprecated)
	maphash.WriteComparable(&hash, n.RetryAfter > 0)
	text(n.Host, n.Asked.GoString(), n.Served)
	date(n.DeprecatedAt)
	date(n.SunsetAt)
	maphash.WriteComparable(&hash, len(n.Newer))
	text(n.Newer...)
	for _, link := range n.Links {
		if link.Rel == relations[0] || link.Rel == relations[1] { // policies
			text(link.Rel, link.Href)
		}
	}
	return hash.Sum64()
}

// report logs the notice and hands it to the callback. Neither can break the
// request.
func (t *Transport) report(ctx context.Context, n Notice) {
	t.guardLogger(func(logger *slog.Logger) { n.log(ctx, logger) })
	if t.onNotice == nil {
		return
	}
	defer func() {
		if reason := recover(); reason != nil {
			t.sayOnNotice.Do(func() { t.say(ctx, slog.LevelError, "verso: OnNotice panicked", slog.Any("reason", reason)) })
		}
	}()
	t.onNotice(n)
}

// say logs something about the transport itself.
func (t *Transport) say(ctx context.Context, level slog.Level, text string, attrs ...slog.Attr) {
	t.guardLogger(func(logger *slog.Logger) { logger.LogAttrs(ctx, level, text, attrs...) })
}

// guardLogger gives the logger to use. That a logger panicked is printed once.
func (t *Transport) guardLogger(use func(*slog.Logger)) {
	logger := t.logger
	if logger == nil {
		logger = slog.Default()
	}
	defer func() {
		if reason := recover(); reason != nil {
			t.sayLogger.Do(func() {
				defer func() { _ = recover() }() // the logger of package log may be the same
				log.Printf("verso: the logger panicked: %v", reason)
			})
		}
	}()
	use(logger)
}
