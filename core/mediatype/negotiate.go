package mediatype

import "fmt"

// Bounds of an Accept header. One beyond them accepts nothing: it is refused
// at once instead of read slowly. Browsers send fewer than ten ranges in some
// two hundred bytes.
const (
	MaxBytes  = 8192 // over all field lines
	MaxRanges = 128
)

// Negotiator chooses among the media types that a service produces. It does
// not change once it is made and is safe for concurrent use.
type Negotiator struct {
	produced []producedType
}

// producedType is a media type that the service produces.
type producedType struct {
	text         string
	typ, subtype string
	params       []param
}

type param struct{ name, value string }

// Accepted is the outcome of a negotiation.
type Accepted struct {
	// MediaType is what the client accepts, with its parameters: the media
	// range that decided, in the bytes of the header, q included; or the
	// produced type when the range has no parameters; or the produced type
	// with the parameters of the range behind its own when a wildcard range
	// and the produced type both have some. It is "" when the client accepts
	// anything and the service declares nothing.
	MediaType string

	// Index is the place of the produced type in the arguments of
	// [NewNegotiator], or -1 when there are none.
	Index int
}

// NewNegotiator returns a negotiator among the given media types, the one that
// the service prefers first. Without any, each range of a client is
// acceptable. It fails on text that is not a media type.
func NewNegotiator(produces ...string) (*Negotiator, error) {
	n := &Negotiator{produced: make([]producedType, 0, len(produces))}
	for _, text := range produces {
		var r mediaRange
		if !r.parse(trimSpace(text)) {
			return nil, fmt.Errorf("mediatype: %q is not a media type: write type/subtype", text)
		}
		p := producedType{text: r.text, typ: r.typ, subtype: r.subtype}
		for rest := r.params; rest != ""; {
			var own string
			own, rest = cutParam(rest)
			if name, value := splitParam(own); name != "" {
				p.params = append(p.params, param{name, unquote(value)})
			}
		}
		n.produced = append(n.produced, p)
	}
	return n, nil
}

// Negotiate returns what the client accepts, given the lines of its Accept
// header field. An absent or empty field accepts anything. Elements that are
// not media ranges are ignored.
//
// For each produced type one matching range counts: the most specific
// (parameters other than q, type/subtype, type/*, */*), then the one with the
// higher q, then the first. A q of 0 refuses the type. Among the types the one
// with the highest q wins, then the one with the more specific range, then
// that of the service's order. A range that names a type which is produced with
// parameters must carry them, with the same values; a wildcard must not
// contradict them. Without produced types the ranges compete:
// higher q, more specific, first.
//
// ok is false when nothing is acceptable, and for a header beyond [MaxBytes]
// or [MaxRanges].
func (n *Negotiator) Negotiate(accept []string) (accepted Accepted, ok bool) {
	ranges := rangeReader{lines: accept}
	if ranges.tooLong() {
		return Accepted{}, false
	}
	if len(n.produced) == 0 {
		return ranges.preferred()
	}

	// For each produced type the range that counts. Services produce few types;
	// the array keeps them off the heap.
	var few [4]choice
	best := few[:]
	if len(n.produced) > len(few) {
		best = make([]choice, len(n.produced))
	}
	for r := new(mediaRange); ranges.next(r); {
		n.consider(r, best)
	}
	if ranges.empty() {
		return Accepted{n.produced[0].text, 0}, true
	}
	if ranges.tooMany() {
		return Accepted{}, false
	}

	chosen := 0
	for i := range n.produced {
		if best[i].beats(best[chosen].preference) {
			chosen = i
		}
	}
	if best[chosen].weight == 0 {
		return Accepted{}, false
	}
	return Accepted{n.produced[chosen].acceptedBy(&best[chosen]), chosen}, true
}

// choice is the range that counts for a produced type; its text is "" as long
// as there is none.
type choice struct {
	text   string
	params string // q included
	preference
}

// consider lets a range count for the produced types that it matches best.
func (n *Negotiator) consider(r *mediaRange, best []choice) {
	var pref preference
	read := false // the parameters, which are of no interest for other types
	for i := range n.produced {
		p := &n.produced[i]
		if !p.isNamedBy(r) {
			continue
		}
		if !read {
			pref, read = r.preference(), true
		}
		if p.hasParamsOf(r, pref.rank) && (best[i].text == "" || pref.overrides(best[i].preference)) {
			best[i] = choice{r.text, r.params, pref}
		}
	}
}

// isNamedBy reports whether the range names the type, or all types.
func (p *producedType) isNamedBy(r *mediaRange) bool {
	return sameOrAny(r.subtype, p.subtype) && sameOrAny(r.typ, p.typ)
}

// sameOrAny reports whether two names of types or subtypes match.
func sameOrAny(a, b string) bool {
	return a == "*" || b == "*" || equalFold(a, b)
}

// hasParamsOf reports whether the range agrees with the parameters of the type.
// A range that names type and subtype must carry all of them; a wildcard need
// only not contradict them.
func (p *producedType) hasParamsOf(r *mediaRange, rank specificity) bool {
	for _, own := range p.params {
		value, ok := lastParam(r.params, own.name)
		if ok && value != own.value || !ok && rank >= exactType {
			return false
		}
	}
	return true
}

// acceptedBy returns the type as the range that counts for it accepts it: see
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

// rangeReader reads the media ranges of an Accept header one by one.
type rangeReader struct {
	lines []string
	line  string // what is left of the current line
	count int    // elements read
}

func (rr *rangeReader) tooLong() bool {
	total := 0
	for _, line := range rr.lines {
		total += len(line)
	}
	return total > MaxBytes
}

func (rr *rangeReader) tooMany() bool { return rr.count > MaxRanges }

// empty reports, at the end, whether the header had no elements at all.
func (rr *rangeReader) empty() bool { return rr.count == 0 }

// next reads the next media range into r. It counts the elements that are none
// and passes over them.
func (rr *rangeReader) next(r *mediaRange) (ok bool) {
	for !rr.tooMany() {
		for rr.line == "" {
			if len(rr.lines) == 0 {
				return false
			}
			rr.line, rr.lines = rr.lines[0], rr.lines[1:]
		}
		var element string
		element, rr.line = cutUnquoted(rr.line, ',')
		if element = trimSpace(element); element != "" {
			rr.count++
			if !rr.tooMany() && r.parse(element) {
				return true
			}
		}
	}
	return false
}

// preferred returns the range that the client prefers when the service
// declares nothing.
func (rr *rangeReader) preferred() (accepted Accepted, ok bool) {
	var best choice
	for r := new(mediaRange); rr.next(r); {
		if pref := r.preference(); best.text == "" || pref.beats(best.preference) {
			best = choice{r.text, r.params, pref}
		}
	}
	if rr.empty() {
		return Accepted{"", -1}, true
	}
	if rr.tooMany() || best.weight == 0 {
		return Accepted{}, false
	}
	return Accepted{best.text, -1}, true
}
