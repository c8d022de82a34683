package adapter

import (
	"errors"
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/hostname"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/internal/sources"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/source"
)

// isSound reports whether the source has fulfilled its contract and not failed.
func (v *engine) isSound(reading *source.Reading) bool {
	return uint(reading.PartsRead) < uint(len(v.constant)) && uint(reading.Part) <= v.lastPart &&
		reading.Outcome != source.Failed
}

// partOf returns the part that had the version in a reading.
func (v *engine) partOf(reading *source.Reading) int {
	if !v.combined && reading.Outcome == source.Found {
		return 1 // the source itself
	}
	return reading.Part
}

// resolve returns the version of a request, nil if the request is rejected. known is the
// version that has the text of the reading, or nil.
func (d *decisions) resolve(c *Call, reading *source.Reading, known *roster.Version,
	served *roster.Versions) *roster.Version {
	v := d.api
	d.logNoPlace(c, reading)
	if len(v.hosts) > 0 && !serves(v.hosts, c.Request.Host()) {
		c.reject(v, &unknownHost, &source.Reading{}) // whatever it asks for
		return nil
	}
	version, rejection, err := v.find(reading, known, served)
	switch {
	case rejection != nil:
		part := &v.parts[v.partOf(reading)]
		if part.Stored && reading.Outcome == source.Found {
			v.journal.fail("stored_unknown", "Source",
				"the %s is %q, which is not served: store a version that is released, and leave it in the list after its end",
				part.Name, text.Bounded(reading.Text))
		}
		c.reject(v, rejection, reading)
		// Explain cannot warn of the route where the router does not list it.
		if at := c.Request.Route(); !c.namesVersion() && v.takesFiles(at) && !at.Checked {
			v.journal.warn(filesChecked, "Routes", filesAdvice, quotedList([]string{at.Pattern.String()}),
				"rejected with "+describe(nil, c.err))
		}
	case err != nil:
		c.err = err
	}
	return version
}

// serves reports whether the host of a request is an allowed host.
func serves(hosts []string, host string) bool {
	if !hostname.IsValid(host) {
		return false
	}
	name := strings.TrimSuffix(hostname.WithoutPort(host), ".")
	return slices.ContainsFunc(hosts, func(served string) bool { return hostname.Matches(served, name) })
}

// misread fails a request whose source failed or broke its contract.
func (d *decisions) misread(c *Call, reading *source.Reading) {
	if c.err = d.api.errMisread(reading); errors.Is(reading.Err, sources.ErrStored) {
		d.api.journal.fail("stored_type", "Source", "a stored value cannot be read as a version: %s: store its text",
			reading.Err)
	}
}

// logNoPlace logs once that a request without a place for a version is served. Routes
// without a namespace are found earlier: see review. Hosts that probes use do not count.
func (d *decisions) logNoPlace(c *Call, reading *source.Reading) {
	v, part := d.api, &d.api.parts[reading.Part]
	if reading.Outcome != source.NoPlace || part.Namespace || v.prefix != nil ||
		part.Place == source.InHost && hostname.IsLocal(c.Request.Host()) {
		return
	}
	if version, err := v.versionFor(reading, v.Served); err == nil {
		v.journal.warn("no_place_for_version", "Source",
			"a request has no place for a version (%s) and is %s: correct the pattern or the host, or reject such requests with Strict.RefuseUnversioned",
			part.Name, describe(version, nil))
	}
}
