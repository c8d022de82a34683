package adapter

import (
	"sync/atomic"
	"time"

	"github.com/goverso/verso/core/internal/codes"
)

// stillness finds a Clock that stands still, or goes back: then no version ever ends, or has ended, which no response
// shows. A test may want a clock that stands still, and is shorter than maxStill.
type stillness struct {
	first   atomic.Pointer[reading]
	settled atomic.Bool // it moves, or its standing still is logged
}

// reading is the time of a Clock, and when it was read.
type reading struct{ clock, at time.Time }

const (
	maxStill = time.Minute
	maxBack  = time.Hour
)

// look compares the time of a request with the time of the first.
func (s *stillness) look(now time.Time, journal *onceLogger) {
	first := s.first.Load()
	switch {
	case first == nil:
		s.first.CompareAndSwap(nil, &reading{now, time.Now()})
	case first.clock.Sub(now) > maxBack:
		journal.say(codes.ClockBack, now.Format(time.RFC3339))
	case s.settled.Load():
	case !now.Equal(first.clock):
		s.settled.Store(true)
	case time.Since(first.at) > maxStill:
		s.settled.Store(true)
		journal.say(codes.ClockStill, now.Format(time.RFC3339))
	}
}
