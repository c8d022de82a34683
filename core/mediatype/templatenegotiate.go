package mediatype

import "github.com/goverso/verso/core/internal/text"

// Versions are the known versions of a service, in the order of its preference.
// [Template.Negotiate] asks them for each media range that has a version.
type Versions interface {
	// Rank finds a version, ignoring the case of ASCII letters. 0 is the most
	// preferred one, usually the newest; no rank is that of two versions.
	//
	// The text is that of a client, up to 127 bytes long. With {resource} a
	// hostile header can ask for several thousand: look at the length first.
	Rank(version string) (rank int, ok bool)

	// Len returns the number of versions.
	Len() int
}

// Outcome says what a client accepts of the media types of a [Template].
type Outcome int8

// The outcomes of [Template.Negotiate].
const (
	NotAcceptable Outcome = iota // nothing that the service produces
	Unnamed                      // something, but no version by name
	Named                        // a known version
)

// String returns the name of the outcome, for tests and logs.
func (o Outcome) String() string {
	switch o {
	case NotAcceptable:
		return "NotAcceptable"
	case Unnamed:
		return "Unnamed"
	case Named:
		return "Named"
	default:
		return "Outcome(?)"
	}
}

// Negotiate returns the version that a client accepts, given the text of its
// Accept header (see [Negotiator.Negotiate], whose rules for the text, its
// bounds, its elements and their parameters are the same) and the known
// versions. The rank is that of a named version, and -1 for other outcomes.
//
// It is the negotiation of RFC 9110, section 12.5.1, over the media type of
// each known version, in the order of their ranks, and behind them the media
// types of produced, which carry no version; nil produces none. A media range
// matches the type of a version whatever parameters it has, and these make it
// more specific, as in [Negotiator.Negotiate]. Case does not matter (RFC 9110,
// section 8.3.1). An unknown version is no media type that the service produces:
// it matches nothing, and another range may win.
//
// With {resource}, which matches one byte or more, the type of a version is
// that of every resource, and the version is the longest known one at the end.
//
//   - A header in which no range is a media type of the template, whatever its
//     version and resource, is [Unnamed], as an absent or empty one is: it is
//     about other media types than the versions'.
//   - A version whose own media type wins by a range without a wildcard is
//     [Named].
//   - A version that wins by a wildcard, such as */* or application/*, is
//     [Unnamed]: the client left the choice to the service, whose answer is the
//     default version. fallback is its rank, -1 for none. When the client does
//     not accept the default version's own type, as in
//     "*/*, application/vnd.acme.v1+json;q=0", the outcome is [NotAcceptable],
//     even when other ranges with a lower q could be satisfied.
//   - A type of produced that wins is [Unnamed].
//   - In all other cases the outcome is [NotAcceptable].
//
// Negotiate allocates nothing as long as the header names at most 8 known
// versions and produced has at most 4 types.
func (t *Template) Negotiate(accept string, versions Versions, produced *Negotiator, fallback int) (rank int, outcome Outcome) {
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
		asks     = false // for a media type of the template
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
	if len(plain.counts) > 0 {
		if pref := plain.counts[plain.best()].preference; pref.weight > 0 && pref.beats(winner) {
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

// versionTally holds the ranges that count for the types of versions while a
// header is read. Versions that no range names have one in common.
type versionTally struct {
	named    []versionChoice
	wildcard preference // of the versions that no range names; the weight is 0 without one
}

// versionChoice is the range that counts for a version that a range names.
type versionChoice struct {
	version int // its rank
	preference
}

// consider lets a range count for the versions that it matches best. It returns
// the tally, as append does: a pointer would put the choices on the heap.
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

// fits reports whether a range is a media type of the template, with any text, or
// none, in place of its fields.
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

// between returns what a subtype has between the first and the last text of the
// template.
func (t *Template) between(subtype string) (rest string, ok bool) {
	end := len(subtype) - len(t.after)
	if end < len(t.before) || !text.EqualFold(subtype[:len(t.before)], t.before) || !text.EqualFold(subtype[end:], t.after) {
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

// best returns the version that wins among that many, and the range that counts
// for it. Its weight is 0 when no version is acceptable; by a wildcard, version
// means nothing.
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

// accepts reports whether the range that counts for a version accepts it.
func (vt versionTally) accepts(version int) bool {
	for i := range vt.named {
		if named := &vt.named[i]; named.version == version {
			return vt.preferenceOf(named).weight > 0
		}
	}
	return vt.wildcard.weight > 0
}

// preferenceOf returns what counts for a version that a range names. A range
// such as */vnd.acme.v1+json names the version, but is no more specific than */*.
func (vt versionTally) preferenceOf(named *versionChoice) preference {
	if vt.wildcard.overrides(named.preference) {
		return vt.wildcard
	}
	return named.preference
}
