package exchange

import verso "github.com/goverso/verso/core"

// ReadAgain returns how many bytes the last flush of a response has left to be read again.
func ReadAgain(rewriting verso.Rewriting) int {
	w := rewriting.(*response)
	if w.rewriter == nil || w.rewriter.InText() || w.held.Len() > 0 { // it has not asked the decoder
		return 0
	}
	return w.rewriter.Unread()
}
