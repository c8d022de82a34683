package adapter

import (
	verso "github.com/goverso/verso/core"
)

// reject answers a rejection, or a programming error.
func (s *Seam[C, H]) reject(c C, call *Call) error {
	rejected, ok := call.err.(*verso.Error) //nolint:errorlint // as in preflight
	if !ok {
		return s.Fail(c, call.err)
	}
	return s.Reject(c, rejected, s.api.answers.to(&call.Request, rejected, call.rejection, call.lists))
}
