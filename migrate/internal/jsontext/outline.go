package jsontext

import (
	"bytes"
	"slices"
)

// Outline is the text of a JSON value, and where its lists and objects end: so a value inside is skipped
// without reading it, however deep it is. The text must be valid.
type Outline struct {
	Text  []byte
	boxes []box
	depth int
}

// box is a list or an object. They are numbered in the order in which they begin.
type box struct {
	end   int // in the text
	after int // the number of the next one behind it
}

// Place is where a value begins, or where one ends.
type Place struct {
	At  int // in the text
	box int // the number of the next list or object
}

// Reset makes the outline of a text.
func (o *Outline) Reset(text []byte) {
	o.Text, o.depth = text, 0
	o.boxes = slices.Grow(o.boxes[:0], bytes.Count(text, []byte{'{'})+bytes.Count(text, []byte{'['}))
	open, depth := -1, 0 // the innermost open box, whose end is the number of the one around it
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfText(text, i) - 1
		case '{', '[':
			o.boxes = append(o.boxes, box{end: open})
			open, depth = len(o.boxes)-1, depth+1
			o.depth = max(o.depth, depth)
		case '}', ']':
			b := &o.boxes[open]
			open, b.end, b.after = b.end, i+1, len(o.boxes)
			depth--
		}
	}
}

// Size returns how many lists and objects there are, and how many of them are inside each other.
func (o *Outline) Size() (boxes, depth int) { return len(o.boxes), o.depth }

// First returns where the value begins.
func (o *Outline) First() Place { return o.next(Place{}) }

// Into returns where the first name or element of an object or a list begins, or its end.
func (o *Outline) Into(p Place) Place { return o.next(Place{p.At + 1, p.box + 1}) }

// End returns where the value at a place ends.
func (o *Outline) End(p Place) Place {
	switch o.Text[p.At] {
	case '{', '[':
		b := o.boxes[p.box]
		return Place{b.end, b.after}
	case '"':
		return Place{endOfText(o.Text, p.At), p.box}
	}
	rest := o.Text[p.At:]
	if n := bytes.IndexAny(rest, ",]} \t\r\n"); n >= 0 {
		return Place{p.At + n, p.box}
	}
	return Place{len(o.Text), p.box}
}

// After returns what follows the end of a name or a value: the next one, or the end of what it is in.
func (o *Outline) After(end Place) Place { return o.next(end) }

// Raw returns the text of the value at a place.
func (o *Outline) Raw(p Place) []byte { return o.Text[p.At:o.End(p).At] }

// next skips white space and what separates values.
func (o *Outline) next(p Place) Place {
	for p.At < len(o.Text) {
		switch o.Text[p.At] {
		case ' ', '\t', '\r', '\n', ',', ':':
			p.At++
		default:
			return p
		}
	}
	return p
}

// endOfText returns where a text ends, behind its quote.
func endOfText(text []byte, begin int) int {
	for at := begin + 1; ; at++ {
		at += bytes.IndexByte(text[at:], '"')
		escapes := 0
		for text[at-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at + 1
		}
	}
}
