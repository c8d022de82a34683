package mediatype

import "strings"

// specificity ranks media ranges: a more specific one overrides a less
// specific one (RFC 9110, section 12.5.1).
type specificity int8

const (
	anyType           specificity = iota // */*
	anySubtype                           // type/*
	exactType                            // type/subtype
	exactTypeAndParam                    // type/subtype with parameters other than q
)

// mediaRange is one element of an Accept header.
type mediaRange struct {
	text    string // the whole element, without white space around it
	typ     string // "*": any
	subtype string // "*": any
	params  string // what stands behind the first ";"
	weight  int    // see ParseWeight
	rank    specificity
}

// parseRange parses an element of an Accept header. ok is false when it is not
// a media range.
func parseRange(text string) (r mediaRange, ok bool) {
	name, params, _ := strings.Cut(text, ";")
	typ, subtype, _ := strings.Cut(trimSpace(name), "/")
	if !IsToken(typ) || !IsToken(subtype) {
		return mediaRange{}, false
	}
	r = mediaRange{text: text, typ: typ, subtype: subtype, params: params, weight: MaxWeight}
	hasParams := r.readParams()
	switch {
	case typ == "*":
		r.rank = anyType
	case subtype == "*":
		r.rank = anySubtype
	case hasParams:
		r.rank = exactTypeAndParam
	default:
		r.rank = exactType
	}
	return r, true
}

// readParams sets the weight and reports whether there are parameters other
// than q.
func (r *mediaRange) readParams() (others bool) {
	for rest := r.params; rest != ""; {
		var param string
		param, rest = cutParam(rest)
		name, value := splitParam(param)
		if equalFold(name, "q") {
			r.weight = ParseWeight(value)
		} else if name != "" {
			others = true
		}
	}
	return others
}

// matches reports whether the range admits the produced type. A range that
// names type and subtype must carry all parameters of the produced type; a
// wildcard need only not contradict them.
func (r *mediaRange) matches(p *producedType) bool {
	if !sameOrAny(r.typ, p.typ) || !sameOrAny(r.subtype, p.subtype) {
		return false
	}
	for _, own := range p.params {
		value, ok := lastParam(r.params, own.name)
		if ok && value != own.value || !ok && r.rank >= exactType {
			return false
		}
	}
	return true
}

// sameOrAny reports whether two names of types or subtypes match.
func sameOrAny(a, b string) bool {
	return a == "*" || b == "*" || equalFold(a, b)
}
