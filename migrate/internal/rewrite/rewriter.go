package rewrite

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Rewriter rewrites JSON by a plan, one token at a time. A body of a version goes in, in pieces of any
// size, and the other version's comes out as soon as it is known. A tree of each body would be
// simpler and cost several times its size; tokens also keep numbers, escapes and unknown members as they
// are. What an edit needs whole is held, up to [MaxHeld], and goes through [Held].
//
// This is the state in the middle of a response, whose older version has a name instead of first
// and last:
//
//	read   {"id":1,"first":"Ada","tags":["x"
//	out    {"id":1,"tags":["x"
//	stack  { [                        the open objects and lists, the innermost last
//	marks  id first tags              of id, first, last, tags: true if it was there; then of name: true if it is out
//	kept   "Ada" nil                  of first, last, by slot: values that wait for each other
//	texts  "Ada"                      the bytes of kept
//
// Each frame of the stack has the offsets where its own part of the other three begins. They
// grow when an object begins and are cut when it ends, so a nested object allocates nothing.
// Where texts moves while it grows, the values refer to the old bytes, which stay.
//
// What Run does next depends on the state alone, in this order:
//
//   - apart is not negative: a value is dropped, or a long one that an edit reads is copied to whole;
//   - in.text is not nil: a long string passes beside the decoder, in pieces;
//   - the last frame is named: the value of its member m follows;
//   - there is a frame: an element, a name or the end follows;
//   - count is positive: white space, another value or the end of the input follows;
//   - otherwise the first value follows.
//
// A step reads what it needs before it changes anything but in. So after ErrMore it is repeated
// when more has come. A new step must keep that, and must call done after a value.
type Rewriter struct {
	input
	root    *Node
	Out     []byte // what is written, until the caller takes it
	stack   []frame
	marks   []bool   // of the frames, by the numbers of planned and made ones
	kept    [][]byte // of the frames, by slot
	texts   []byte   // of the frames
	args    [][]byte // of the function that is called next
	apart   int      // -1, or the frame of a value that is not for out
	drops   bool     // it is dropped
	whole   []byte   // or it is here
	isWhole bool     // it has ended, and hold returns it
	Lines   bool     // there may be several values, one a line
	Records bool     // each begins with a record separator (RFC 7464)
	count   int      // of values that are out
	newline bool     // after the last of them

	read, sent int64 // bytes that edits have read, and that were out before
	own        reads
}

// frame is an open list or object.
type frame struct {
	n                  *Node
	list               bool
	some               bool // it has an element or a member already
	named              bool // the name of a member is read, and its value is not
	known              bool // a member of its type was read
	strange            bool // another member was read
	m                  *Planned
	marks, kept, texts int // where its own begin
}

var rewriters = sync.Pool{New: func() any { return &Rewriter{input: input{dec: new(jsontext.Decoder)}} }}

// New returns a rewriter from the pool: its slices keep their memory, so that a small body
// costs few allocations.
func New(root *Node, in io.Reader, m Mode) *Rewriter {
	r := rewriters.Get().(*Rewriter)
	r.dec.Reset(in, m.options()...)
	long, _ := in.(*Source)
	*r = Rewriter{
		input: input{in: long, dec: r.dec, Mode: m}, root: root, apart: -1,
		Out: r.Out[:0], stack: r.stack[:0], marks: r.marks[:0], kept: r.kept[:0], texts: r.texts[:0], args: r.args[:0],
		whole: r.whole[:0],
	}
	if r.reads == nil {
		r.reads = &r.own
	}
	return r
}

// Free gives the rewriter back. Nobody uses r.out afterwards.
// A large one goes to the garbage collector, since the pool would hold the memory of the largest
// body for good. What a rewriter refers to is cleared, because it belongs to another request.
func (r *Rewriter) Free() {
	if cap(r.Out)+cap(r.texts)+cap(r.whole) <= MaxBuffered {
		r.dec.Reset(http.NoBody)
		r.in, r.Mode = nil, Mode{}
		clear(r.kept[:cap(r.kept)])
		clear(r.args[:cap(r.args)])
		rewriters.Put(r)
	}
}

// Whole rewrites a whole value.
func Whole(n *Node, raw []byte, m Mode) ([]byte, error) {
	r := New(n, bytes.NewBuffer(raw), m)
	defer r.Free()
	if err := r.Run(0); err != nil {
		return nil, err
	}
	return bytes.Clone(r.Out), nil
}

// Run rewrites until the input ends (nil), no more is there (ErrMore), limit bytes are
// out (ErrFull, 0 for no limit), or it fails.
func (r *Rewriter) Run(limit int) (err error) {
	defer Recovered(&err)
	// One step a turn: between two steps all is in the rewriter, so that a response can be
	// written, and a request read, in pieces of any size.
	for done := false; !done && err == nil; {
		r.bound()
		switch {
		case limit > 0 && len(r.Out) >= limit:
			return ErrFull
		case r.in != nil && r.Lost != nil && r.dec.InputOffset() > maxSpread*(r.sent+int64(len(r.Out)))+r.read+
			2*MaxHeld:
			return ErrDropped
		case r.apart >= 0:
			err = r.walk()
		case r.InText():
			err = r.text()
		case len(r.stack) > 0:
			err = r.step(&r.stack[len(r.stack)-1])
		case r.count > 0 && !r.isWhole:
			done, err = r.after()
		default:
			r.newline = false
			err = r.value(r.root)
		}
	}
	return err
}

// Piece returns what comes out next, with io.EOF at the end, and another error as refuse returns it.
func (r *Rewriter) Piece(n int, refuse func(error) error) (out []byte, err error) {
	r.sent += int64(len(r.Out))
	r.Out = r.Out[:0]
	switch err = r.Run(n); {
	case err == nil:
		err = io.EOF
	case errors.Is(err, ErrFull):
		err = nil
	default:
		err = refuse(err)
	}
	return r.Out, err
}

// text copies the next piece of a long string.
func (r *Rewriter) text() (err error) {
	var ended bool
	if r.Out, ended, err = r.copyText(r.Out); ended {
		r.done()
	}
	return err
}

// after reads what follows the last value: its newline, another value, or nothing.
// Encoders end with a newline, which clients that read lines wait for. Two values in a request are
// refused: a handler that reads one would never see the other, and a proxy might.
func (r *Rewriter) after() (done bool, err error) {
	next := r.dec.PeekKind()
	rest := r.dec.UnreadBuffer()
	space := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))]
	isNext := r.Lines && next > 0 && next != '}' && next != ']'
	if !r.newline && (isNext || bytes.IndexByte(space, '\n') >= 0) {
		r.Out, r.newline = append(r.Out, '\n'), true
	}
	if isNext {
		r.newline = false
		if err = r.value(r.root); err != nil { // it is read again when more has come
			r.newline = true
		}
		return false, err
	}
	// The decoder is asked although another value is an error: it names a byte that cannot begin a
	// value.
	if _, err = r.dec.ReadToken(); err == nil {
		err = ErrValues
	} else if err == io.EOF { //nolint:errorlint // the decoder returns it as it is
		return true, nil
	}
	return false, err
}

// Blanks returns the white space to skip if it comes next.
func (r *Rewriter) Blanks() string {
	switch {
	case r.InText() || len(r.Begun()) > 0:
		return ""
	case len(r.stack) > 0 || r.count == 0 || r.newline:
		return " \t\r\n"
	}
	return " \t\r"
}

// step reads the next part of the innermost list or object: a whole element, but of a member first the
// name and then the value, since the input may end between them.
func (r *Rewriter) step(f *frame) error {
	end := byte('}')
	if f.list {
		end = ']'
	}
	switch {
	case f.named:
		return r.member(f)
	case !r.isWhole && byte(r.dec.PeekKind()) == end:
		if _, err := r.dec.ReadToken(); err != nil {
			return err
		}
		if r.Strict && r.Ours && f.strange && !f.known && f.n.Object != nil {
			return r.at(f.n.stranger())
		}
		// What is missing is written at the end: only now it is known to be missing.
		if err := r.makeRest(f); err != nil {
			return err
		}
		r.Out = append(r.Out, end)
		r.marks, r.kept, r.texts = r.marks[:f.marks], r.kept[:f.kept], r.texts[:f.texts]
		r.stack = r.stack[:len(r.stack)-1]
		r.done()
		return nil
	case f.list:
		return r.value(f.n.Elem)
	}
	return r.name(f)
}

// done ends a written value. What follows a value depends on what it is in: a name, a comma,
// the end, or the next line.
func (r *Rewriter) done() {
	if len(r.stack) == 0 {
		r.count++
		return
	}
	f := &r.stack[len(r.stack)-1]
	f.some, f.named, f.m = true, false, nil
}

// value rewrites the value that comes now. Of a list or an object that is the begin.
// A body of another kind than the declared one is an error, since what is in it would leave, or reach
// the handler, without an edit. null passes: each version has it.
func (r *Rewriter) value(n *Node) (err error) {
	kind := r.dec.PeekKind()
	if r.isWhole {
		kind = jsontext.Kind(r.whole[0])
	}
	switch {
	case n == nil:
	case n.Same:
		n = nil // nothing to do
	case n.isOther(kind):
		if r.Strict && kind != 'n' && kind > 0 {
			return r.refuse(n.misfit(kind))
		}
		n = nil
	}
	// A value without a plan is read at once if the input is whole; of a stream it is walked too,
	// or it would have to be held. What a function reads, or identifies a variant by, is held, so
	// this is bounded.
	isElement := n != nil && (n.Withheld != nil || n.Choices != nil) && inList(r.stack, r.Lines)
	isHeld := isElement || n != nil && (n.Taken != nil || n.Choices != nil)
	begins := (kind == '{' || kind == '[') && (r.in != nil || n != nil) && !isHeld
	var raw []byte
	switch {
	case begins:
		_, err = r.dec.ReadToken()
	case isHeld:
		if raw, err = r.hold(); err == nil {
			raw, err = Held(n, raw, r.Mode, isElement)
			err = r.at(err)
		}
		if raw == nil && err == nil { // it is left out
			if len(r.stack) == 0 {
				r.count++
				r.newline = true // there is no line to end
			}
			return nil
		}
	default:
		// Only a text may be longer than what is held: the rest is walked, token by token.
		raw, err = r.next()
	}
	if err != nil {
		return err
	}
	if r.Records && len(r.stack) == 0 {
		r.Out = append(r.Out, recordSeparator)
	}
	if len(r.stack) > 0 { // the members of an object are separated by key
		if f := &r.stack[len(r.stack)-1]; f.list && f.some {
			r.Out = append(r.Out, ',')
		}
	}
	if !begins {
		if r.Out = append(r.Out, raw...); !r.InText() {
			r.done()
		}
		return nil
	}
	if n == nil {
		n = copied
	}
	r.Out = append(r.Out, byte(kind))
	r.stack = append(r.stack, frame{n: n, list: kind == '[', marks: len(r.marks), kept: len(r.kept),
		texts: len(r.texts)})
	if n.Object != nil {
		r.marks, r.kept = append(r.marks, n.Object.Unmarked...), append(r.kept, n.Object.Unkept...)
	}
	return nil
}

// copied is the plan of a list or an object that stays, with everything in it.
var copied = new(Node)

// key writes the name of a member and its comma. The first member of the output may not be the first
// of the input, so the comma belongs to what follows it.
func (r *Rewriter) key(f *frame, key ...byte) {
	if f.some {
		r.Out = append(r.Out, ',')
	}
	r.Out = append(r.Out, key...)
}

// hold reads a value that an edit needs whole.
// The bound is the same for requests and responses: without it one member could need any memory,
// though the rest streams. A long value of a response may come in many pieces, which are not
// read again: it is walked, and hold is asked again at its end.
func (r *Rewriter) hold() (raw []byte, err error) {
	if raw = r.whole; !r.isWhole {
		raw, err = r.dec.ReadValue()
	}
	r.isWhole = false
	r.read += int64(len(raw))
	r.reads.held += int64(len(raw))
	switch {
	case len(raw) > MaxHeld || err != nil && len(r.dec.UnreadBuffer()) > MaxHeld:
		err = r.at(&ValueError{Err: ErrHeld})
	case errors.Is(err, ErrMore) && len(r.Begun()) >= MinText:
		r.setApart(false)
	}
	return raw, err
}

// setApart lets walk read the next value.
func (r *Rewriter) setApart(drops bool) {
	r.apart, r.drops, r.whole = len(r.stack), drops, r.whole[:0]
	r.stack = append(r.stack, frame{n: copied, list: true, marks: len(r.marks), kept: len(r.kept), texts: len(r.texts)})
}

// walk reads the next part of a value that is held or dropped. To read it at once would need memory
// for nothing, or time, if it comes in pieces.
func (r *Rewriter) walk() (err error) {
	r.Out, r.whole = r.whole, r.Out
	switch f := &r.stack[len(r.stack)-1]; {
	case r.InText():
		err = r.text()
	case len(r.stack) > r.apart+1:
		err = r.step(f)
	case !f.some:
		err = r.value(nil)
	default:
		if r.stack, r.apart, r.isWhole = r.stack[:r.apart], -1, !r.drops; r.drops {
			outer := &r.stack[len(r.stack)-1]
			outer.named, outer.m = false, nil
		}
	}
	r.Out, r.whole = r.whole, r.Out
	switch {
	case r.drops && err == nil:
		err = r.lose(int64(len(r.whole)))
		r.whole = r.whole[:0]
	case len(r.whole) > MaxHeld:
		err = r.at(&ValueError{Err: ErrHeld})
	}
	return err
}

// at adds to an error where in the body an edit failed.
// It has the names of the body: those of the client's own version, for a request.
func (r *Rewriter) at(err error) error {
	if err == nil {
		return nil // what follows allocates
	}
	var inner *ValueError
	if errors.As(err, &inner) {
		return &ValueError{string(r.dec.StackPointer()) + inner.Pointer, inner.Err}
	}
	return err
}

// name reads the name of a member.
func (r *Rewriter) name(f *frame) error {
	raw, err := r.dec.ReadValue()
	if err != nil {
		return err
	}
	m := f.n.planned(raw)
	switch m {
	case nil: // the handler may read more than its type shows
		f.strange = true
		r.key(f, raw...)
		r.Out = append(r.Out, ':')
	case dropped, forbidden:
		f.strange = true
	default:
		f.known = true
		// Two spellings of a name are two members to an edit and one to the decoder of the
		// handler, which would take the last.
		if was := &r.marks[f.marks+m.Number]; *was && !r.Ours {
			return jsontext.ErrTwice
		} else {
			*was = true
		}
		if m.Key != nil {
			r.key(f, m.Key...)
		}
	}
	f.named, f.m = true, m
	return nil
}

// refuse refuses the value that comes now.
func (r *Rewriter) refuse(cause error) error {
	if _, err := r.dec.ReadToken(); err != nil { // it is what the pointer names
		return err
	}
	return r.at(cause)
}

// member rewrites the value of a member whose name is read.
func (r *Rewriter) member(f *frame) error {
	switch m := f.m; {
	case m == nil:
		return r.value(f.n.Elem)
	case m == forbidden && r.dec.PeekKind() != 'n': // null is dropped
		return r.refuse(&ValueError{Err: ErrNewer})
	case m.Feeds != nil:
		return r.feed(f)
	case m.Key != nil:
		return r.value(m.Next)
	}
	r.setApart(true)
	return nil
}

// lose counts what is dropped of a request. A limit that the handler sets never sees it.
func (r *Rewriter) lose(n int64) error {
	if r.Lost == nil {
		return nil
	}
	if *r.Lost += n; *r.Lost > MaxHeld {
		return r.at(&ValueError{Err: ErrDropped})
	}
	return nil
}

// feed reads a value that other members are built from, and writes those for which
// nothing else is missing.
// A member takes the place of its last source: nothing can be written before that is read, and holding
// the object back would end the streaming.
func (r *Rewriter) feed(f *frame) error {
	m := f.m
	raw, err := r.hold()
	// The value may have edits of its own below it, which come first: functions of this object see
	// the other version's form.
	if err == nil && !m.Next.Same {
		raw, err = Held(m.Next, raw, r.Mode, false)
		err = r.at(err)
	}
	if err != nil {
		return err
	}
	// It is copied as well as read, and its name is out already.
	if m.Key != nil {
		r.Out = append(r.Out, raw...)
		f.some = true
	}
	// The decoder reuses its buffer, so a value that waits for another one is copied.
	if m.Slot >= 0 {
		begin := len(r.texts)
		r.texts = append(r.texts, raw...)
		r.kept[f.kept+m.Slot] = r.texts[begin:]
	}
	for _, made := range m.Feeds {
		r.args = append(r.args[:0], raw)
		if len(made.From) == 1 || r.load(f, made) {
			if err := r.make(f, made); err != nil {
				return err
			}
		}
	}
	f.named, f.m = false, nil
	return nil
}

// load sets r.args to the sources of a member, and reports whether all of them are there. An
// absent source is nil, which functions can distinguish from null.
func (r *Rewriter) load(f *frame, m *Made) (complete bool) {
	r.args, complete = r.args[:0], true
	for _, p := range m.From {
		var value []byte
		if p.Slot >= 0 {
			value = r.kept[f.kept+p.Slot]
		}
		r.args, complete = append(r.args, value), complete && value != nil
	}
	return complete
}

// make writes a made member of r.args, once.
// Responses may have a member twice: the second one makes nothing.
func (r *Rewriter) make(f *frame, m *Made) error {
	out := &r.marks[f.marks+m.number]
	if *out {
		return nil
	}
	*out = true
	raw, err := m.Value(r.args)
	if raw != nil && err == nil {
		r.key(f, m.Key...)
		r.Out = append(r.Out, raw...)
		f.some = true
	}
	return r.at(err)
}

// makeRest writes at the end of an object the members that do not need it.
func (r *Rewriter) makeRest(f *frame) error {
	if f.n.Object == nil {
		return nil
	}
	for _, m := range f.n.Object.Made {
		if m.Unless != nil && r.marks[f.marks+m.Unless.Number] {
			continue
		}
		r.load(f, m)
		if err := r.make(f, m); err != nil {
			return err
		}
	}
	return nil
}

// inList reports whether the next value is an element: of a list, or of values in a row.
func inList(stack []frame, lines bool) bool {
	if len(stack) == 0 {
		return lines
	}
	return stack[len(stack)-1].list
}
