package rewrite

import (
	"bytes"
	"fmt"
)

// Events lowers server-sent events, which are held until their empty line: the name of one may
// come after its data. A comment goes at once. The HTML standard defines the format: lines of
// fields, and an empty line at the end of each event.
type Events struct {
	Lower func(name string, data []byte) ([]byte, error)

	line   []byte // that has begun
	cr     bool   // the last byte was a carriage return
	fields []byte // of the event that has begun, but for its data
	name   []byte
	data   []byte // with a newline after each line
	Out    []byte
}

// Write lowers the events that are complete.
// Lines end with a line feed, a carriage return or both, and a write may end between the two.
func (s *Events) Write(p []byte) error {
	for len(p) > 0 {
		if s.cr && p[0] == '\n' {
			p, s.cr = p[1:], false
			continue
		}
		end := bytes.IndexAny(p, "\r\n")
		if s.cr = end >= 0 && p[end] == '\r'; end < 0 {
			s.line = append(s.line, p...)
			break
		}
		s.line = append(s.line, p[:end]...)
		p = p[end+1:]
		if err := s.endLine(); err != nil {
			return err
		}
		s.line = s.line[:0]
	}
	// A stream without empty lines would otherwise be held for as long as it lasts.
	if len(s.line)+len(s.data)+len(s.fields) > MaxHeld {
		return fmt.Errorf("a server-sent event has more than %d bytes", MaxHeld)
	}
	return nil
}

// endLine notes a field of the event. A comment goes at once, since it keeps the connection open while
// no event comes.
func (s *Events) endLine() error {
	if len(s.line) == 0 {
		return s.endEvent()
	}
	// One space after the colon belongs to the format, and not to the value.
	field, value, _ := bytes.Cut(s.line, []byte{':'})
	switch value = bytes.TrimPrefix(value, []byte{' '}); string(field) {
	case "":
		s.Out = append(append(s.Out, s.line...), '\n')
		return nil
	case "data":
		s.data = append(append(s.data, value...), '\n')
		return nil
	case "event":
		s.name = append(s.name[:0], value...)
	}
	s.fields = append(append(s.fields, s.line...), '\n')
	return nil
}

// endEvent lowers the data of an event.
// The fields come before the data, since a name may follow it, and the order of fields has no meaning.
func (s *Events) endEvent() error {
	s.Out = append(s.Out, s.fields...)
	// An event without data is not dispatched by browsers, but its id and its retry count.
	if len(s.data) > 0 {
		data, err := s.Lower(string(s.name), s.data[:len(s.data)-1])
		if err != nil {
			return fmt.Errorf("the event %q: %w", s.name, err)
		}
		// JSON may have been written over several lines, each of which is a data field.
		for line := range bytes.SplitSeq(data, []byte{'\n'}) {
			s.Out = append(append(append(s.Out, "data: "...), line...), '\n')
		}
	}
	s.Out = append(s.Out, '\n')
	s.fields, s.name, s.data = s.fields[:0], s.name[:0], s.data[:0]
	return nil
}
