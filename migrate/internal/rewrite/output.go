package rewrite

// output is what a [holder] writes: in pieces, since edits move values that are written already. It is put
// in a row at the end.
type output struct {
	out    []byte
	pieces []piece
	now    chain // what is being written
}

// piece is a part of the output.
type piece struct {
	begin, end int
	next       int  // that follows it in its chain
	closed     bool // nothing is written behind it
	used       bool // the chain that it begins is in another
}

// chain is a row of pieces, by number. No piece has number 0.
type chain struct{ first, last int }

// value is a value of the other version. Without a kind it is absent.
type value struct {
	kind    byte    // its first byte
	raw     []byte  // its bytes
	chain           // or where they are in the output
	entries []entry // or its members
}

type entry struct {
	key   []byte // `"name":`
	value value
}

// link writes a value: its chain becomes a part of the chain under way. The second time its bytes
// are copied.
func (o *output) link(v value) {
	switch {
	case v.raw != nil:
		o.write(v.raw...)
	case v.first == 0:
		o.write('{')
		for i, e := range v.entries {
			if i > 0 {
				o.write(',')
			}
			o.write(e.key...)
			o.link(e.value)
		}
		o.write('}')
	case o.pieces[v.first].used:
		o.write(o.bytes(v)...)
	default:
		o.pieces[v.first].used, o.pieces[v.last].closed = true, true
		if o.now.first == 0 {
			o.now = v.chain
			return
		}
		o.pieces[o.now.last].next, o.now.last = v.first, v.last
	}
}

// write writes bytes.
func (o *output) write(raw ...byte) {
	begin := len(o.out)
	o.out = append(o.out, raw...)
	if last := &o.pieces[o.now.last]; o.now.last > 0 && last.end == begin && !last.closed {
		last.end = len(o.out)
		return
	}
	o.pieces = append(o.pieces, piece{begin: begin, end: len(o.out)})
	at := len(o.pieces) - 1
	if o.now.first == 0 {
		o.now.first = at
	} else {
		o.pieces[o.now.last].next = at
	}
	o.now.last = at
}

// bytes returns the bytes of a value in a row.
func (o *output) bytes(v value) (raw []byte) {
	switch {
	case v.raw != nil:
		return v.raw
	case v.first == 0: // its members were never in a row
		around := o.now
		o.now = chain{}
		o.link(v)
		v, o.now = value{chain: o.now}, around
		fallthrough
	case v.first != v.last:
		for i := v.first; ; i = o.pieces[i].next {
			if raw = append(raw, o.out[o.pieces[i].begin:o.pieces[i].end]...); i == v.last {
				return raw
			}
		}
	}
	return o.out[o.pieces[v.first].begin:o.pieces[v.first].end]
}
