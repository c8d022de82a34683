package mediatype

// Negotiator chooses among the media types that a service produces. [NewNegotiator] returns one;
// the zero Negotiator produces nothing. It is immutable and safe for concurrent use.
type Negotiator struct {
	produced []producedType
	names    []string // of the parameters of the produced types
}

// Accepted is the outcome of a negotiation.
type Accepted struct {
	// MediaType is what the client accepts, with its parameters: the media
	// range that decided, as the header has it, including q; or the produced
	// type when the range has no parameters; or the produced type followed by
	// the parameters of the range when a wildcard range and the produced type
	// both have parameters. It is "" when the client accepts anything and the
	// service declares no types.
	MediaType string

	// Index is the position of the produced type in the arguments of
	// [NewNegotiator], or -1 when the service declares no types.
	Index int
}

// NewNegotiator returns a negotiator for the given media types, in the order in
// which the service prefers them. Without types, any range of a client is acceptable.
//
// It fails for a string that is not a single media type, and for a type that no
// negotiation could choose: a type with q, which only the media ranges of clients
// have (RFC 9110, section 12.4.2), a type with a duplicate parameter, and a
// duplicate of an earlier type.
func NewNegotiator(produces ...string) (*Negotiator, error) {
	n := &Negotiator{produced: make([]producedType, 0, len(produces))}
	for _, text := range produces {
		if err := n.add(text); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// Negotiate returns what the client accepts. accept is the value of its Accept
// header: the field lines joined by ", " (RFC 9110, section 5.3), or "" without
// one. Since the lines are read together, an unclosed quote in one line extends
// into the next line, as it does for every recipient behind a proxy that joins
// the lines.
//
// An absent or empty header accepts anything. Elements that are not media
// ranges are ignored, but a header with only such elements ("Accept: json") is
// not empty: it accepts nothing, whether or not the service declares types.
//
// One matching range applies to each produced type: the most specific
// (parameters other than q, type/subtype, type/*, */*), then the one with the
// higher q, then the first. A q of 0 excludes the type. Among the types the one
// with the highest q wins, then the one with the more specific range, then the
// first in the service's order (RFC 9110, section 12.5.1). If a type is produced
// with parameters, a range that names the type must have them, with the same
// values; a wildcard must not contradict them. Without produced types the ranges
// compete: higher q, more specific, first.
//
// If a range has a parameter several times, q included, the last one applies.
// A q whose value is not a qvalue, such as a quoted number, is ignored: see
// [ParseWeight].
//
// ok is false when nothing is acceptable, and for a header beyond [MaxBytes]
// or [MaxRanges].
func (n *Negotiator) Negotiate(accept string) (accepted Accepted, ok bool) {
	if tooLong(accept) {
		return Accepted{}, false
	}
	ranges := rangeReader{rest: accept}
	if len(n.produced) == 0 {
		return ranges.preferred()
	}
	var few fewTypes
	choices := n.newTally(&few)
	for r := new(mediaRange); ranges.next(r); {
		choices.consider(r)
	}
	if ranges.empty() {
		return Accepted{n.produced[0].text, 0}, true
	}
	chosen := choices.best()
	if ranges.tooMany() || choices.applied[chosen].weight == 0 {
		return Accepted{}, false
	}
	return Accepted{n.produced[chosen].acceptedBy(&choices.applied[chosen]), chosen}, true
}

// choice is the range that applies to a produced type. The zero choice has a
// weight of 0: no range matches the type.
type choice struct {
	text   string
	params string // q included
	preference
}

// tally holds the choices while a header is read.
type tally struct {
	n       *Negotiator
	applied []choice     // for each produced type the range that applies
	values  []paramValue // of the current range, for each of the negotiator's names
}

// fewTypes has room for a tally of few produced types, which is the usual case. It
// keeps the tally off the heap.
type fewTypes struct {
	applied [4]choice
	values  [4]paramValue
}

func (n *Negotiator) newTally(few *fewTypes) tally {
	applied, values := few.applied[:], few.values[:]
	if len(n.produced) > len(applied) {
		applied = make([]choice, len(n.produced))
	}
	if len(n.names) > len(values) {
		values = make([]paramValue, len(n.names))
	}
	return tally{n, applied[:len(n.produced)], values[:len(n.names)]}
}

// consider records a range for the produced types that it matches best. It reads
// the parameters of the range once, however many types there are.
func (t *tally) consider(r *mediaRange) {
	valuesRead := false
	for i := range t.n.produced {
		p := &t.n.produced[i]
		if !p.isNamedBy(r) {
			continue
		}
		pref := r.preference()
		if len(p.params) > 0 {
			if !valuesRead {
				t.n.readValues(t.values, r.params)
				valuesRead = true
			}
			if !p.agreesWith(t.values, pref.rank) {
				continue
			}
		}
		if pref.overrides(t.applied[i].preference) {
			t.applied[i] = choice{r.text, r.params, pref}
		}
	}
}

// best returns the index of the winning type. Its weight is 0 when no type is
// acceptable.
func (t *tally) best() (index int) {
	for i := range t.applied {
		if t.applied[i].beats(t.applied[index].preference) {
			index = i
		}
	}
	return index
}
