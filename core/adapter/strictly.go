package adapter

import (
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/hostname"
	"github.com/goverso/verso/core/source"
)

// strictly returns the rejection that strictness alone has for a reading, or nil.
func strictly(s *verso.Strictness, reading *source.Reading, invalid *source.Rejection) *source.Rejection {
	switch {
	case s.RefuseEmpty && reading.Outcome == source.Found && reading.Text == "":
		return &emptyVersion
	case s.RefuseUnversioned && (reading.Outcome == source.NoPlace || reading.Outcome == source.Unversioned):
		return invalid
	}
	return nil
}

// serves reports whether the host of a request is an allowed host.
func serves(hosts []string, host string) bool {
	if !hostname.IsValid(host) {
		return false
	}
	name := strings.TrimSuffix(hostname.WithoutPort(host), ".")
	return slices.ContainsFunc(hosts, func(served string) bool { return hostname.Matches(served, name) })
}
