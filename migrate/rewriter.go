package migrate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

const (
	// maxHeld bounds a value that an edit needs whole, and what is dropped of a request, in bytes.
	maxHeld = 1 << 20
	// maxSpread is how many bytes a long request may have for each that the handler reads. The
	// rest are spaces.
	maxSpread = 64
)

var (
	errMore    = errors.New("migrate: more is to come") // a reader's error after which reading goes on
	errFull    = errors.New("migrate: enough is out")
	errHeld    = fmt.Errorf("a value that an edit needs has more than %d bytes", maxHeld)
	errDropped = fmt.Errorf("more than %d bytes are dropped", maxHeld)
	errValues  = errors.New("there is more than one value")
)

// valueError is the error of a value that an edit cannot read. The pointer is for the client,
// who knows the names of its own version. The cause goes to the log, since it may repeat the
// value.
type valueError struct {
	pointer string // RFC 6901
	err     error
}

func (e *valueError) Error() string { return cmp.Or(e.pointer, "the body") + ": " + e.err.Error() }
func (e *valueError) Unwrap() error { return e.err }

// rewriter rewrites JSON by a plan, one token at a time. A tree of each body would be simpler and
// cost several times its size; tokens also keep numbers, escapes and unknown members as they are.
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
// What run does next depends on the state alone, in this order:
//
//   - apart is not negative: a value is dropped, or a long one that an edit reads is copied to whole;
//   - in.text is not nil: a long string passes beside the decoder, in pieces;
//   - the last frame is named: the value of its member m follows;
//   - there is a frame: an element, a name or the end follows;
//   - count is positive: white space, another value or the end of the input follows;
//   - otherwise the first value follows.
//
// A step reads what it needs before it changes anything but in. So after errMore it is repeated
// when more has come. A new step must keep that, and must call done after a value.
type rewriter struct {
	dec     *jsontext.Decoder
	root    *node
	out     []byte // what is written, until the caller takes it
	stack   []frame
	marks   []bool   // of the frames, by planned.number and made.number
	kept    [][]byte // of the frames, by planned.slot
	texts   []byte   // of the frames
	args    [][]byte // of the function that is called next
	apart   int      // -1, or the frame of a value that is not for out
	drops   bool     // it is dropped
	whole   []byte   // or it is here
	isWhole bool     // it has ended, and hold returns it
	mode
	in      *source // of a long body; nil: all is there, and unchanged parts are read at once
	lines   bool    // there may be several values, one a line
	records bool    // each begins with a record separator (RFC 7464)
	count   int     // of values that are out
	newline bool    // after the last of them

	read, sent int64 // bytes that edits have read, and that were out before
}

// mode is how a rewriter reads.
type mode struct {
	ours   bool   // a response, which may have equal names and invalid UTF-8
	strict bool   // of a route, whose bodies must be of their type: edits do not reach another one
	told   *told  // of the route, or nil
	lost   *int64 // counts what is dropped of a request, or nil
}

// options returns those of the decoder.
func (m mode) options() []jsontext.Options {
	if m.ours {
		return jsontext.Lenient
	}
	return nil
}

// frame is an open list or object.
type frame struct {
	n                  *node
	list               bool
	some               bool // it has an element or a member already
	named              bool // the name of a member is read, and its value is not
	known              bool // a member of its type was read
	strange            bool // another member was read
	m                  *planned
	marks, kept, texts int // where its own begin
}

var rewriters = sync.Pool{New: func() any { return &rewriter{dec: new(jsontext.Decoder)} }}

// newRewriter returns a rewriter from the pool: its slices keep their memory, so that a small body
// costs few allocations.
func newRewriter(root *node, in io.Reader, m mode) *rewriter {
	r := rewriters.Get().(*rewriter)
	r.dec.Reset(in, m.options()...)
	long, _ := in.(*source)
	*r = rewriter{
		in: long, dec: r.dec, root: root, apart: -1, mode: m,
		out: r.out[:0], stack: r.stack[:0], marks: r.marks[:0], kept: r.kept[:0], texts: r.texts[:0], args: r.args[:0],
		whole: r.whole[:0],
	}
	return r
}

// free gives the rewriter back. Nobody uses r.out afterwards.
// A large one goes to the garbage collector, since the pool would hold the memory of the largest
// body for good. What a rewriter refers to is cleared, because it belongs to another request.
func (r *rewriter) free() {
	if cap(r.out)+cap(r.texts)+cap(r.whole) <= maxBuffered {
		r.dec.Reset(http.NoBody)
		r.in = nil
		clear(r.kept[:cap(r.kept)])
		clear(r.args[:cap(r.args)])
		rewriters.Put(r)
	}
}

// rewrite rewrites a whole value.
func rewrite(n *node, raw []byte, m mode) ([]byte, error) {
	r := newRewriter(n, bytes.NewBuffer(raw), m)
	defer r.free()
	if err := r.run(0); err != nil {
		return nil, err
	}
	return bytes.Clone(r.out), nil
}

// recovered is deferred: a panic of a change is an error, since outside RewriteErrors
// nothing recovers, and fasthttp ends the process.
// [http.ErrAbortHandler] stays a panic: with it the service asks to cut the connection.
func recovered(err *error) {
	switch cause := recover(); cause {
	case nil:
	case any(http.ErrAbortHandler):
		panic(cause)
	default:
		*err = fmt.Errorf("a change panicked: %v\n%s", cause, debug.Stack())
	}
}

// run rewrites until the input ends (nil), no more is there (errMore), limit bytes are
// out (errFull, 0 for no limit), or it fails.
func (r *rewriter) run(limit int) (err error) {
	defer recovered(&err)
	// One step a turn: between two steps all is in the rewriter, so that a response can be
	// written, and a request read, in pieces of any size.
	for done := false; !done && err == nil; {
		r.bound()
		switch {
		case limit > 0 && len(r.out) >= limit:
			return errFull
		case r.in != nil && r.lost != nil && r.dec.InputOffset() > maxSpread*(r.sent+int64(len(r.out)))+r.read+
			2*maxHeld:
			return errDropped
		case r.apart >= 0:
			err = r.walk()
		case r.in != nil && r.in.text != nil:
			err = r.copyText()
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

// after reads what follows the last value: its newline, another value, or nothing.
// Encoders end with a newline, which clients that read lines wait for. Two values in a request are
// refused: a handler that reads one would never see the other, and a proxy might.
func (r *rewriter) after() (done bool, err error) {
	next := r.dec.PeekKind()
	rest := r.dec.UnreadBuffer()
	space := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))]
	isNext := r.lines && next > 0 && next != '}' && next != ']'
	if !r.newline && (isNext || bytes.IndexByte(space, '\n') >= 0) {
		r.out, r.newline = append(r.out, '\n'), true
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
		err = errValues
	} else if err == io.EOF { //nolint:errorlint // the decoder returns it as it is
		return true, nil
	}
	return false, err
}

// blanks returns the white space to skip if it comes next.
func (r *rewriter) blanks() string {
	switch {
	case r.in.text != nil || len(r.begun()) > 0:
		return ""
	case len(r.stack) > 0 || r.count == 0 || r.newline:
		return " \t\r\n"
	}
	return " \t\r"
}

// step reads the next part of the innermost list or object: a whole element, but of a member first the
// name and then the value, since the input may end between them.
func (r *rewriter) step(f *frame) error {
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
		if r.strict && r.ours && f.strange && !f.known && f.n.object != nil {
			return r.at(&valueError{err: fmt.Errorf("%s was declared, and this object does not have any of its members",
				f.n.typ)})
		}
		// What is missing is written at the end: only now it is known to be missing.
		if err := r.makeRest(f); err != nil {
			return err
		}
		r.out = append(r.out, end)
		r.marks, r.kept, r.texts = r.marks[:f.marks], r.kept[:f.kept], r.texts[:f.texts]
		r.stack = r.stack[:len(r.stack)-1]
		r.done()
		return nil
	case f.list:
		return r.value(f.n.elem)
	}
	return r.name(f)
}

// done ends a written value. What follows a value depends on what it is in: a name, a comma,
// the end, or the next line.
func (r *rewriter) done() {
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
func (r *rewriter) value(n *node) (err error) {
	kind := r.dec.PeekKind()
	if r.isWhole {
		kind = jsontext.Kind(r.whole[0])
	}
	switch {
	case n == nil:
	case n.same:
		n = nil // nothing to do
	case n.reshape == nil && (n.list != (kind == '[') || kind != '{' && kind != '['): // another shape
		if r.strict && kind != 'n' && kind > 0 {
			return r.refuse(n.misfit(kind))
		}
		n = nil
	}
	// A value without a plan is read at once if the input is whole; of a stream it is walked too,
	// or it would have to be held. What a function reads, or identifies a variant by, is held, so
	// this is bounded.
	isElement := n != nil && (n.withheld != nil || n.choices != nil) && inList(r.stack, r.lines)
	isHeld := isElement || n != nil && (n.reshape != nil || n.choices != nil)
	begins := (kind == '{' || kind == '[') && (r.in != nil || n != nil) && !isHeld
	var raw []byte
	switch {
	case begins:
		_, err = r.dec.ReadToken()
	case isHeld:
		if raw, err = r.hold(); err == nil {
			raw, err = held(n, raw, r.mode, isElement)
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
	if r.records && len(r.stack) == 0 {
		r.out = append(r.out, recordSeparator)
	}
	if len(r.stack) > 0 { // the members of an object are separated by key
		if f := &r.stack[len(r.stack)-1]; f.list && f.some {
			r.out = append(r.out, ',')
		}
	}
	if !begins {
		if r.out = append(r.out, raw...); r.in == nil || r.in.text == nil {
			r.done()
		}
		return nil
	}
	if n == nil {
		n = copied
	}
	r.out = append(r.out, byte(kind))
	r.stack = append(r.stack, frame{n: n, list: kind == '[', marks: len(r.marks), kept: len(r.kept),
		texts: len(r.texts)})
	if n.object != nil {
		r.marks, r.kept = append(r.marks, n.object.unmarked...), append(r.kept, n.object.unkept...)
	}
	return nil
}

// copied is the plan of a list or an object that stays, with everything in it.
var copied = new(node)

// key writes the name of a member and its comma. The first member of the output may not be the first
// of the input, so the comma belongs to what follows it.
func (r *rewriter) key(f *frame, key ...byte) {
	if f.some {
		r.out = append(r.out, ',')
	}
	r.out = append(r.out, key...)
}

// hold reads a value that an edit needs whole.
// The bound is the same for requests and responses: without it one member could need any memory,
// though the rest streams. A long value of a response may come in many pieces, which are not
// read again: it is walked, and hold is asked again at its end.
func (r *rewriter) hold() (raw []byte, err error) {
	if raw = r.whole; !r.isWhole {
		raw, err = r.dec.ReadValue()
	}
	r.isWhole = false
	r.read += int64(len(raw))
	switch {
	case len(raw) > maxHeld || err != nil && len(r.dec.UnreadBuffer()) > maxHeld:
		err = r.at(&valueError{err: errHeld})
	case errors.Is(err, errMore) && len(r.begun()) >= minText:
		r.setApart(false)
	}
	return raw, err
}

// setApart lets walk read the next value.
func (r *rewriter) setApart(drops bool) {
	r.apart, r.drops, r.whole = len(r.stack), drops, r.whole[:0]
	r.stack = append(r.stack, frame{n: copied, list: true, marks: len(r.marks), kept: len(r.kept), texts: len(r.texts)})
}

// walk reads the next part of a value that is held or dropped. To read it at once would need memory
// for nothing, or time, if it comes in pieces.
func (r *rewriter) walk() (err error) {
	r.out, r.whole = r.whole, r.out
	switch f := &r.stack[len(r.stack)-1]; {
	case r.in != nil && r.in.text != nil:
		err = r.copyText()
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
	r.out, r.whole = r.whole, r.out
	switch {
	case r.drops && err == nil:
		err = r.lose(int64(len(r.whole)))
		r.whole = r.whole[:0]
	case len(r.whole) > maxHeld:
		err = r.at(&valueError{err: errHeld})
	}
	return err
}

// at adds to an error where in the body an edit failed.
// It has the names of the body: those of the client's own version, for a request.
func (r *rewriter) at(err error) error {
	if inner, ok := errors.AsType[*valueError](err); ok {
		return &valueError{string(r.dec.StackPointer()) + inner.pointer, inner.err}
	}
	return err
}

// name reads the name of a member.
func (r *rewriter) name(f *frame) error {
	raw, err := r.dec.ReadValue()
	if err != nil {
		return err
	}
	// A map has names that edits do not know, and a copied object has nothing to look up.
	var m *planned
	if f.n.object != nil {
		// Names have escapes so seldom that the text between the quotes nearly always is the name.
		text := raw[1 : len(raw)-1]
		if bytes.IndexByte(text, '\\') >= 0 {
			text, _ = jsontext.Unquote(raw) // with replacement characters, if it is not valid
		}
		m = f.n.object.lookup(text)
	}
	switch m {
	case nil: // the handler may read more than its type shows
		f.strange = true
		r.key(f, raw...)
		r.out = append(r.out, ':')
	case dropped, forbidden:
		f.strange = true
	default:
		f.known = true
		// Two spellings of a name are two members to an edit and one to the decoder of the
		// handler, which would take the last.
		if was := &r.marks[f.marks+m.number]; *was && !r.ours {
			return jsontext.ErrTwice
		} else {
			*was = true
		}
		if m.key != nil {
			r.key(f, m.key...)
		}
	}
	f.named, f.m = true, m
	return nil
}

// dropped is the plan of each member that disappears: under its name the other version has another
// member, or does not know it.
var dropped = new(planned)

// forbidden is the plan of each member that the client's version may not send.
var forbidden = new(planned)

// errNewer is for the log: the client reads that its version does not have the value.
var errNewer = errors.New("only newer versions have the member")

// refuse refuses the value that comes now.
func (r *rewriter) refuse(cause error) error {
	if _, err := r.dec.ReadToken(); err != nil { // it is what the pointer names
		return err
	}
	return r.at(&valueError{err: cause})
}

// member rewrites the value of a member whose name is read.
func (r *rewriter) member(f *frame) error {
	switch m := f.m; {
	case m == nil:
		return r.value(f.n.elem)
	case m == forbidden && r.dec.PeekKind() != 'n': // null is dropped
		return r.refuse(errNewer)
	case m.feeds != nil:
		return r.feed(f)
	case m.key != nil:
		return r.value(m.next)
	}
	r.setApart(true)
	return nil
}

// lose counts what is dropped of a request. A limit that the handler sets never sees it.
func (r *rewriter) lose(n int64) error {
	if r.lost == nil {
		return nil
	}
	if *r.lost += n; *r.lost > maxHeld {
		return r.at(&valueError{err: errDropped})
	}
	return nil
}

// feed reads a value that other members are built from, and writes those for which
// nothing else is missing.
// A member takes the place of its last source: nothing can be written before that is read, and holding
// the object back would end the streaming.
func (r *rewriter) feed(f *frame) error {
	m := f.m
	raw, err := r.hold()
	// The value may have edits of its own below it, which come first: functions of this object see
	// the other version's form.
	if err == nil && !m.next.same {
		raw, err = rewrite(m.next, raw, r.mode)
		err = r.at(err)
	}
	if err != nil {
		return err
	}
	// It is copied as well as read, and its name is out already.
	if m.key != nil {
		r.out = append(r.out, raw...)
		f.some = true
	}
	// The decoder reuses its buffer, so a value that waits for another one is copied.
	if m.slot >= 0 {
		begin := len(r.texts)
		r.texts = append(r.texts, raw...)
		r.kept[f.kept+m.slot] = r.texts[begin:]
	}
	for _, made := range m.feeds {
		r.args = append(r.args[:0], raw)
		if len(made.from) == 1 || r.load(f, made) {
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
func (r *rewriter) load(f *frame, m *made) (complete bool) {
	r.args, complete = r.args[:0], true
	for _, p := range m.from {
		var value []byte
		if p.slot >= 0 {
			value = r.kept[f.kept+p.slot]
		}
		r.args, complete = append(r.args, value), complete && value != nil
	}
	return complete
}

// make writes a made member of r.args, once.
// Responses may have a member twice: the second one makes nothing.
func (r *rewriter) make(f *frame, m *made) error {
	out := &r.marks[f.marks+m.number]
	if *out {
		return nil
	}
	*out = true
	raw, err := m.value(r.args)
	if raw != nil && err == nil {
		r.key(f, m.key...)
		r.out = append(r.out, raw...)
		f.some = true
	}
	return r.at(err)
}

// makeRest writes at the end of an object the members that do not need it.
func (r *rewriter) makeRest(f *frame) error {
	if f.n.object == nil {
		return nil
	}
	for _, m := range f.n.object.made {
		if m.unless != nil && r.marks[f.marks+m.unless.number] {
			continue
		}
		r.load(f, m)
		if err := r.make(f, m); err != nil {
			return err
		}
	}
	return nil
}
