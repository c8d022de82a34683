package adapter

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// observe reports the outcome of a client's request to [verso.Config.Counters] and [verso.Config.Observe].
func (d *decisions) observe(c *Call, client string) {
	o := verso.Observation{Time: time.Unix(c.second, 0), Requested: verso.RequestedNone, Outcome: verso.OutcomeServed,
		Exempt: c.exemptFromSunset, Client: client}
	if c.second == 0 {
		o.Time = d.api.config.Clock()
	}
	index := c.asked - 1
	rejected, _ := c.err.(*verso.Error) //nolint:errorlint // as in preflight
	switch {
	case c.result != nil:
		result := in(c.result)
		o.Source = d.api.parts[result.Part].Name
		if result.Index >= 0 || result.Version == d.api.config.DefaultVersion {
			o.Served, o.Version = result.Version, result.Version
		}
		if index < 0 {
			index = result.Index
		}
		if c.outcome == source.Found {
			o.Requested = verso.RequestedUnlisted
		}
	case rejected != nil:
		o.Outcome, o.Source = string(rejected.MessageID), rejected.Source
		if rejected.HasRequested {
			o.Requested = verso.RequestedUnlisted
		}
	default:
		o.Outcome, o.Source = verso.OutcomeFailed, d.api.Name()
	}
	if index >= 0 {
		o.Version, o.State = d.api.versions[index], catalogue.Supported
		if c.state != 0 {
			o.State = c.state
		}
	}
	if c.outcome == source.Found && !o.Version.IsNone() {
		o.Requested = verso.RequestedListed
	}
	o.Method = "_OTHER"
	if known := slices.Index(methods[:], c.Request.Method()); known >= 0 {
		o.Method = methods[known] // no part of the request, whose memory a framework may reuse
	}
	if at := cmp.Or(c.Route, c.Request.Route()); at != nil {
		o.Route = cmp.Or(at.RegisteredPath, at.Path)
	}
	defer d.api.journal.logPanic("Observe")
	for _, counter := range d.api.config.Counters {
		counter.Observe(c.Request.Context(), o)
	}
	if observe := d.api.config.Observe; observe != nil {
		observe(c.Request.Context(), o)
	}
}

// methods are the methods that net/http defines.
var methods = [...]string{
	http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodHead, http.MethodOptions, http.MethodConnect, http.MethodTrace,
}

// boundedClient returns the name of a client as valid UTF-8 of at most [verso.MaxClientBytes].
func boundedClient(name string) string {
	if len(name) <= verso.MaxClientBytes && utf8.ValidString(name) {
		return name
	}
	name = strings.ToValidUTF8(name[:min(len(name), verso.MaxClientBytes+utf8.UTFMax)], "\uFFFD")
	return strings.ToValidUTF8(name[:min(len(name), verso.MaxClientBytes)], "") // no part of a rune
}
