package mediatype

import (
	"strings"

	"github.com/goverso/verso/core/internal/text"
)

// Param returns the named parameter of what the client accepts. It combines
// [Negotiator.Negotiate] and [Param], in one pass for a header with a single range,
// which most clients send.
//
// Of several values the last one applies. To reject a media type with different
// values, negotiate once and check the outcome instead:
//
//	accepted, ok := n.Negotiate(accept)
//	value, found := mediatype.Param(accepted.MediaType, name)
//	contradicts := mediatype.Contradicts(accepted.MediaType, name)
func (n *Negotiator) Param(accept, name string) (value string, found, ok bool) {
	if value, found, ok = n.paramOfOne(accept, name); ok {
		return value, found, true
	}
	accepted, ok := n.Negotiate(accept)
	value, found = Param(accepted.MediaType, name) // which nothing has if nothing is acceptable
	return value, found, ok
}

// paramOfOne is [Negotiator.Param] for a header with a single range whose
// parameters the accepted type has unchanged. For any other header ok is false,
// even if the client accepts something.
func (n *Negotiator) paramOfOne(accept, name string) (value string, found, ok bool) {
	var r mediaRange
	if tooLong(accept) || strings.IndexByte(accept, ',') >= 0 || !r.parse(text.Trim(accept)) || !n.takesAsWritten(&r) {
		return "", false, false
	}
	weight := MaxWeight
	for rest := r.params; rest != ""; { // not each, which takes longer here
		var param string
		param, rest = text.CutUnquoted(rest, ';')
		key, given := cutByte(param, '=')
		key, given = text.Trim(key), text.Trim(given)
		if text.EqualFold(key, name) {
			value, found = given, true
		}
		if key == "q" || key == "Q" {
			weight = ParseWeight(given)
		}
	}
	return text.Unquote(value), found, weight > 0
}

// takesAsWritten reports whether the accepted media type has exactly the parameters of
// the range. Of several types that a range names the first wins; if that type has
// parameters, the accepted media type may have them.
func (n *Negotiator) takesAsWritten(r *mediaRange) bool {
	for i := range n.produced {
		if p := &n.produced[i]; p.isNamedBy(r) {
			return p.bare
		}
	}
	return len(n.produced) == 0
}
