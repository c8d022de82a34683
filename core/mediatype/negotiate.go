package mediatype

// Negotiator chooses among the media types that a service produces. It does
// not change once it is made and is safe for concurrent use.
type Negotiator struct {
	produced []producedType
	names    []string // of the parameters of the produced types
}

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
// the service prefers first. Without any, each range of a client is acceptable.
//
// It fails on text that is not one media type, and on types that no negotiation
// could choose: one with q, which only the media ranges of clients have
// (RFC 9110, section 12.4.2), one with a parameter twice, and one that equals
// an earlier one.
func NewNegotiator(produces ...string) (*Negotiator, error) {
	n := &Negotiator{produced: make([]producedType, 0, len(produces))}
	for _, text := range produces {
		if err := n.add(text); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// Negotiate returns what the client accepts, given the text of its Accept
// header: the field lines joined by ", " (RFC 9110, section 5.3), "" when
// there is none. Since the text is read as a whole, a quote that one line never
// closes reaches into the next line, as it does for each recipient behind a
// proxy that joins the lines.
//
// An absent or empty header accepts anything. Elements that are not media
// ranges are ignored, but they do not make a header empty: one that has nothing
// else ("Accept: json") accepts nothing, whether the service declares types or
// not.
//
// For each produced type one matching range counts: the most specific
// (parameters other than q, type/subtype, type/*, */*), then the one with the
// higher q, then the first. A q of 0 excludes the type. Among the types the one
// with the highest q wins, then the one with the more specific range, then
// that of the service's order (RFC 9110, section 12.5.1). A range that names a
// type which is produced with parameters must carry them, with the same values;
// a wildcard must not contradict them. Without produced types the ranges
// compete: higher q, more specific, first.
//
// Of a parameter that a range has several times, q included, the last counts.
// A q whose value is not a qvalue, such as a quoted one, counts as no q: see
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
	if ranges.tooMany() || choices.counts[chosen].weight == 0 {
		return Accepted{}, false
	}
	return Accepted{n.produced[chosen].acceptedBy(&choices.counts[chosen]), chosen}, true
}

// choice is the range that counts for a produced type. The zero choice, of a
// type that no range matches, has a weight of 0.
type choice struct {
	text   string
	params string // q included
	preference
}

// tally holds the choices while a header is read.
type tally struct {
	n      *Negotiator
	counts []choice     // for each produced type the range that counts
	values []paramValue // of the current range, for each of the negotiator's names
}

// fewTypes is the room for a tally of few produced types, which services
// usually have. It keeps the tally off the heap.
type fewTypes struct {
	counts [4]choice
	values [4]paramValue
}

func (n *Negotiator) newTally(few *fewTypes) tally {
	choices := tally{n: n}
	if len(n.produced) <= len(few.counts) {
		choices.counts = few.counts[:len(n.produced)]
	} else {
		choices.counts = make([]choice, len(n.produced))
	}
	if len(n.names) <= len(few.values) {
		choices.values = few.values[:len(n.names)]
	} else {
		choices.values = make([]paramValue, len(n.names))
	}
	return choices
}

// consider lets a range count for the produced types that it matches best. It
// reads the parameters of the range once, however many types there are.
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
		if pref.overrides(t.counts[i].preference) {
			t.counts[i] = choice{r.text, r.params, pref}
		}
	}
}

// best returns the index of the type that wins. Its weight is 0 when no type is
// acceptable.
func (t *tally) best() (index int) {
	for i := range t.counts {
		if t.counts[i].beats(t.counts[index].preference) {
			index = i
		}
	}
	return index
}
