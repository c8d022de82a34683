package mediatype

import "github.com/goverso/verso/core/internal/text"

// specificity ranks media ranges: a more specific one overrides a less
// specific one (RFC 9110, section 12.5.1).
type specificity int8

const (
	anyType           specificity = iota // */*
	anySubtype                           // type/*
	exactType                            // type/subtype
	exactTypeAndParam                    // type/subtype with parameters other than q
)

// mediaRange is one element of an Accept header, or a media type.
type mediaRange struct {
	text    string // the whole element, without white space around it
	typ     string // "*": any
	subtype string // "*": any
	params  string // the text after the first ";"

	pref     preference // the values of params, once they are read
	prefRead bool
}

// parse reads an element that has no white space around it. ok is false when it is
// not a media range; parse ignores the text after the first ";".
func (r *mediaRange) parse(element string) (ok bool) {
	slash := text.TokenBytes(element)
	if slash == 0 || slash == len(element) || element[slash] != '/' {
		return false
	}
	rest := element[slash+1:]
	end := text.TokenBytes(rest)
	params := text.Trim(rest[end:])
	if end == 0 || params != "" && params[0] != ';' {
		return false
	}
	*r = mediaRange{text: element, typ: element[:slash], subtype: rest[:end]}
	if params != "" {
		r.params = params[1:]
	}
	return true
}

// preference is the weight and specificity that the parameters give a range.
type preference struct {
	weight int // see ParseWeight
	rank   specificity
}

// preference reads the parameters on the first call.
func (r *mediaRange) preference() preference {
	if !r.prefRead {
		r.pref, r.prefRead = r.readPreference(), true
	}
	return r.pref
}

func (r *mediaRange) readPreference() preference {
	weight, others := MaxWeight, false
	for name, value := range each(r.params) {
		if name == "q" || name == "Q" {
			weight = ParseWeight(value)
		} else if name != "" {
			others = true
		}
	}
	switch {
	case r.typ == "*":
		return preference{weight, anyType}
	case r.subtype == "*":
		return preference{weight, anySubtype}
	case others:
		return preference{weight, exactTypeAndParam}
	default:
		return preference{weight, exactType}
	}
}

// overrides reports whether a range applies to a type instead of an earlier one
// that matches the same type.
func (p preference) overrides(earlier preference) bool {
	return p.rank > earlier.rank || p.rank == earlier.rank && p.weight > earlier.weight
}

// beats reports whether a choice is preferred over an earlier one.
func (p preference) beats(earlier preference) bool {
	return p.weight > earlier.weight || p.weight == earlier.weight && p.rank > earlier.rank
}
