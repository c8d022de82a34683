package mediatype

import (
	"fmt"
	"slices"

	"github.com/goverso/verso/core/internal/text"
)

// producedType is a media type that the service produces.
type producedType struct {
	text         string
	typ, subtype string
	params       []ownParam // by index
	bare         bool       // the text has no parameters, not even an empty one
}

// ownParam is a parameter of a produced type.
type ownParam struct {
	index int // of its name in Negotiator.names
	value string
}

// paramValue is the value of a parameter of a media range.
type paramValue struct {
	text  string
	found bool
}

// add adds a produced type.
func (n *Negotiator) add(mediaType string) error {
	var r mediaRange
	if first, _ := text.CutUnquoted(mediaType, ','); first != mediaType || !r.parse(text.Trim(mediaType)) {
		return fmt.Errorf("mediatype: %q is not a media type: write type/subtype, and each type by itself", mediaType)
	}
	p := producedType{text: r.text, typ: r.typ, subtype: r.subtype, bare: r.params == ""}
	for name, value := range each(r.params) {
		if name == "" {
			continue
		}
		if text.EqualFold(name, "q") {
			return fmt.Errorf("mediatype: %q has the parameter q, which only media ranges of clients have: remove q",
				mediaType)
		}
		index := n.indexOfName(name)
		if index < 0 {
			index = len(n.names)
			n.names = append(n.names, name)
		}
		if slices.ContainsFunc(p.params, func(earlier ownParam) bool { return earlier.index == index }) {
			return fmt.Errorf("mediatype: %q has the parameter %s twice: remove one", mediaType, name)
		}
		p.params = append(p.params, ownParam{index, text.Unquote(value)})
	}
	slices.SortFunc(p.params, func(a, b ownParam) int { return a.index - b.index })
	for i := range n.produced {
		if earlier := &n.produced[i]; p.equals(earlier) {
			return fmt.Errorf("mediatype: %q and %q are the same media type: remove one", earlier.text, mediaType)
		}
	}
	n.produced = append(n.produced, p)
	return nil
}

// indexOfName returns the index of the name of a parameter that a produced type
// has, or -1. It compares the first bytes first, since a hostile header has
// thousands of names.
func (n *Negotiator) indexOfName(name string) int {
	if name == "" {
		return -1
	}
	first := text.Lower(name[0])
	for i, own := range n.names {
		if len(own) == len(name) && text.Lower(own[0]) == first && text.EqualFold(own, name) {
			return i
		}
	}
	return -1
}

// equals reports whether two types are the same, ignoring the case of types and of
// the names of parameters (RFC 9110, section 8.3.1). Whether the case of a value
// matters depends on the parameter, so values are compared exactly.
func (p *producedType) equals(other *producedType) bool {
	return text.EqualFold(p.typ, other.typ) && text.EqualFold(p.subtype, other.subtype) &&
		slices.Equal(p.params, other.params)
}

// isNamedBy reports whether the range names the type, or all types.
func (p *producedType) isNamedBy(r *mediaRange) bool {
	return sameOrAny(r.subtype, p.subtype) && sameOrAny(r.typ, p.typ)
}

// sameOrAny reports whether two names of types or subtypes match.
func sameOrAny(a, b string) bool { return a == "*" || b == "*" || text.EqualFold(a, b) }

// readValues reads the values of the parameters that produced types have.
func (n *Negotiator) readValues(values []paramValue, params string) {
	clear(values)
	for name, value := range each(params) {
		if i := n.indexOfName(name); i >= 0 {
			values[i] = paramValue{value, true}
		}
	}
	for i := range values {
		values[i].text = text.Unquote(values[i].text)
	}
}

// agreesWith reports whether the values of a range agree with the parameters of
// the type. A range that names type and subtype must have all of them; a wildcard
// must only not contradict them.
func (p *producedType) agreesWith(values []paramValue, rank specificity) bool {
	for _, own := range p.params {
		value := values[own.index]
		if value.found && value.text != own.value || !value.found && rank >= exactType {
			return false
		}
	}
	return true
}

// acceptedBy returns the type as accepted by the range that applies to it: see
// [Accepted.MediaType].
func (p *producedType) acceptedBy(c *choice) string {
	switch {
	case c.params == "":
		return p.text
	case len(p.params) == 0 || c.rank >= exactType:
		return c.text
	default:
		return p.text + ";" + c.params
	}
}
