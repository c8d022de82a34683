package adapter

import (
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/hostname"
	"github.com/goverso/verso/core/source"
)

// strictly returns the rejection that strictness alone has for a reading, or nil.
func (v *engine) strictly(reading *source.Reading, invalid *source.Rejection) *source.Rejection {
	s := &v.config.Strict
	switch {
	case s.RefuseEmpty && reading.Outcome == source.Found && reading.Text == "":
		return &emptyVersion
	case s.RefuseUnversioned && (reading.Outcome == source.NoPlace || reading.Outcome == source.Unversioned):
		return invalid
	}
	return nil
}

// serves reports whether the host of a request is allowed.
func (v *engine) serves(host string) bool {
	if !hostname.IsValid(host) {
		return false
	}
	name := strings.TrimSuffix(hostname.WithoutPort(host), ".")
	return slices.ContainsFunc(v.hosts, func(served string) bool { return hostname.Matches(served, name) })
}
