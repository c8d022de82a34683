package mediatype

import "github.com/goverso/verso/core/internal/text"

// Versions are the known versions of a service, in the order of its preference.
// [Template.Negotiate] calls Rank for each media range that has a version.
type Versions interface {
	// Rank returns the rank of a version, ignoring the case of ASCII letters.
	// Rank 0 is the most preferred version, usually the newest. Ranks are unique.
	//
	// The string comes from a client and has up to 127 bytes. With {resource} a
	// hostile header can cause several thousand calls: check the length first.
	Rank(version string) (rank int, ok bool)

	// Len returns the number of versions.
	Len() int
}

// Outcome reports which of the media types of a [Template] a client accepts.
type Outcome uint8

// The outcomes of [Template.Negotiate].
const (
	NotAcceptable Outcome = iota // the client accepts nothing that the service produces
	Unnamed                      // the client accepts something, but names no version
	Named                        // the client names a known version
)

// String returns the name of the outcome, for tests and logs.
func (o Outcome) String() string {
	return [...]string{"NotAcceptable", "Unnamed", "Named", "Outcome(?)"}[min(o, Named+1)]
}

// Negotiate returns the known version that a client accepts, given its Accept
// header. The rules for the header, its bounds, its elements and their parameters
// are those of [Negotiator.Negotiate]. rank is the rank of a named version, and -1
// for other outcomes.
//
// It is the negotiation of RFC 9110, section 12.5.1, over the media type of
// each known version, in the order of their ranks, followed by the media types of
// produced, which carry no version; produced may be nil. A media range matches
// the type of a version whatever parameters the range has; they make it more
// specific, as in [Negotiator.Negotiate]. Case is ignored (RFC 9110, section
// 8.3.1). The service does not produce the media type of an unknown version, so it
// matches nothing, and another range may win.
//
// With {resource}, which matches one byte or more, the type of a version covers
// every resource, and the version is the longest known one at the end.
//
//   - [Unnamed]: no range of the header is a media type of the template, whatever
//     its version and resource, or the header is absent or empty. The client asks
//     for other media types than those of versions.
//   - [Named]: a version wins by a range without a wildcard.
//   - [Unnamed]: a version wins by a wildcard, such as */* or application/*. The
//     client leaves the choice to the service, which answers in the default
//     version. fallback is its rank, -1 without one. If the client does not
//     accept the default version's own type, as in
//     "*/*, application/vnd.acme.v1+json;q=0", the outcome is [NotAcceptable],
//     even if other ranges with a lower q could be satisfied.
//   - [Unnamed]: a type of produced wins.
//   - [NotAcceptable]: all other cases.
//
// Negotiate does not allocate if the header names at most 8 known versions and
// produced has at most 4 types.
func (t *Template) Negotiate(accept string, versions Versions, produced *Negotiator,
	fallback int) (rank int, outcome Outcome) {
	if tooLong(accept) {
		return -1, NotAcceptable
	}
	if produced == nil {
		produced = &noTypes
	}
	var (
		few      fewTypes
		plain    = produced.newTally(&few)
		fewNamed [8]versionChoice
		own      = versionTally{named: fewNamed[:0]}
		ranges   = rangeReader{rest: accept}
		asks     = false // a range is a media type of the template
	)
	for r := new(mediaRange); ranges.next(r); {
		asks = asks || t.fits(r)
		own = own.consider(r, t, versions)
		plain.consider(r)
	}
	switch {
	case ranges.tooMany():
		return -1, NotAcceptable
	case !asks:
		return -1, Unnamed
	}
	rank, winner := own.best(versions.Len())
	if len(plain.applied) > 0 {
		if pref := plain.applied[plain.best()].preference; pref.weight > 0 && pref.beats(winner) {
			return -1, Unnamed
		}
	}
	switch {
	case winner.weight == 0:
		return -1, NotAcceptable
	case winner.rank >= exactType:
		return rank, Named
	case fallback >= 0 && !own.accepts(fallback):
		return -1, NotAcceptable
	default:
		return -1, Unnamed
	}
}

var noTypes Negotiator

// versionTally holds the ranges that apply to the types of versions while a
// header is read. Versions that no range names share one range.
type versionTally struct {
	named    []versionChoice
	wildcard preference // of the versions that no range names; its weight is 0 without a wildcard
}

// versionChoice is the range that applies to a version that a range names.
type versionChoice struct {
	version int // its rank
	preference
}

// consider records a range for the versions that it matches best. It returns the
// tally, as append does: a pointer would put the choices on the heap.
func (vt versionTally) consider(r *mediaRange, t *Template, versions Versions) versionTally {
	if !sameOrAny(r.typ, t.typ) {
		return vt
	}
	if r.subtype == "*" {
		if pref := r.preference(); pref.overrides(vt.wildcard) {
			vt.wildcard = pref
		}
		return vt
	}
	version, ok := t.rankOf(r.subtype, versions)
	if !ok {
		return vt
	}
	pref := r.preference()
	for i := range vt.named {
		if earlier := &vt.named[i]; earlier.version == version {
			if pref.overrides(earlier.preference) {
				earlier.preference = pref
			}
			return vt
		}
	}
	vt.named = append(vt.named, versionChoice{version, pref})
	return vt
}

// fits reports whether a range is a media type of the template, with any text,
// even empty, in place of its fields.
func (t *Template) fits(r *mediaRange) bool {
	if r.subtype == "*" || !text.EqualFold(r.typ, t.typ) {
		return false
	}
	rest, ok := t.between(r.subtype)
	for ; ok && t.hasResource && len(rest) >= len(t.separator); rest = rest[1:] {
		if text.EqualFold(rest[:len(t.separator)], t.separator) {
			return true
		}
	}
	return ok && !t.hasResource
}

// between returns the part of a subtype between the first and the last literal of
// the template.
func (t *Template) between(subtype string) (rest string, ok bool) {
	end := len(subtype) - len(t.after)
	if end < len(t.before) || !text.EqualFold(subtype[:len(t.before)], t.before) ||
		!text.EqualFold(subtype[end:], t.after) {
		return "", false
	}
	return subtype[len(t.before):end], true
}

// rankOf returns the rank of the version in a subtype.
func (t *Template) rankOf(subtype string, versions Versions) (rank int, ok bool) {
	rest, ok := t.between(subtype)
	if !ok || rest == "" || len(subtype) > maxNameBytes {
		return 0, false
	}
	if !t.hasResource {
		return versions.Rank(rest)
	}
	for i := 1; i+len(t.separator) < len(rest); i++ { // 1: the resource is not empty
		version := i + len(t.separator)
		if text.EqualFold(rest[i:version], t.separator) {
			if rank, ok = versions.Rank(rest[version:]); ok {
				return rank, true
			}
		}
	}
	return 0, false
}

// best returns the winning version of so many versions, and the range that applies
// to it. Its weight is 0 when no version is acceptable. If a wildcard wins, version
// has no meaning.
func (vt versionTally) best(versions int) (version int, winner preference) {
	if len(vt.named) < versions {
		winner = vt.wildcard
	}
	for i := range vt.named {
		named := &vt.named[i]
		pref := vt.preferenceOf(named)
		if pref.beats(winner) || pref == winner && named.version < version {
			version, winner = named.version, pref
		}
	}
	return version, winner
}

// accepts reports whether the range that applies to a version accepts it.
func (vt versionTally) accepts(version int) bool {
	for i := range vt.named {
		if named := &vt.named[i]; named.version == version {
			return vt.preferenceOf(named).weight > 0
		}
	}
	return vt.wildcard.weight > 0
}

// preferenceOf returns the preference of a version that a range names. A range such
// as */vnd.acme.v1+json names the version, but is not more specific than */*.
func (vt versionTally) preferenceOf(named *versionChoice) preference {
	if vt.wildcard.overrides(named.preference) {
		return vt.wildcard
	}
	return named.preference
}
