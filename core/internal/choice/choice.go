// Package choice has what the options of a route choose.
package choice

import (
	"sync/atomic"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/codes"
)

// Route is what the options of a route choose.
type Route struct {
	Neutral     bool
	Versioned   bool
	Dated       bool       // has dates or links of its own
	Mistake     *codes.Row // of an option, nil if all are right
	Dispatches  bool
	Unversioned bool // dispatches requests without a version as well
	Names       map[string]string
	Config      catalogue.RouteConfig
	Since       []string // of the groups around the last one
	RemovedIn   []string
	Used        []*atomic.Bool // of Track of package adapter
}
