package rewrite

import (
	"sync/atomic"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Mode is how a rewriter reads.
type Mode struct {
	Ours   bool   // a response, which may have equal names and invalid UTF-8
	Strict bool   // of a route, whose bodies must be of their type: edits do not reach another one
	Lost   *int64 // counts what is dropped of a request, or nil

	Unknown *atomic.Bool // whether a value of no variant was logged, or nil

	reads *reads // of the body; New sets it
}

// Loose returns the mode of a value in the body, which may be of any type.
func (m Mode) Loose() Mode { return Mode{reads: m.reads} }

// options returns those of the decoder.
func (m Mode) options() []jsontext.Options {
	if m.Ours {
		return jsontext.Lenient
	}
	return nil
}

// reads is how much functions of a service have read of the held values of a body. A function reads a
// value with all values in it, and may be asked again for one of these. How much it reads then depends on
// how deep a client nests them, so there is a bound.
type reads struct{ held, again int64 }

func (r *reads) add(n int) error {
	if r.again += int64(n); r.again > 16*MaxHeld+maxReads*r.held {
		return &ValueError{Err: ErrReads}
	}
	return nil
}
