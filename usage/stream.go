package usage

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// stream writes a body that may be long.
type stream func(io.Writer) error

// send sends the body in parts. An error before the first of them can still be answered.
func (s stream) send(w http.ResponseWriter) error {
	sent := &sender{Writer: w}
	out := bufio.NewWriterSize(sent, 64<<10)
	err := s(out)
	if err == nil {
		err = out.Flush()
	}
	switch {
	case err == nil:
		return nil
	case sent.begun:
		panic(http.ErrAbortHandler) // a part must not look like the whole
	}
	w.Header().Del("Content-Disposition")
	return err
}

// sender knows whether a part was sent.
type sender struct {
	io.Writer
	begun bool
}

func (s *sender) Write(part []byte) (int, error) {
	s.begun = true
	return s.Writer.Write(part)
}

// list writes a list of JSON, whose values are not held.
type list struct {
	io.Writer
	begin string // before the first one
	begun bool
	text  bytes.Buffer // of one value
}

func (l *list) add(value any) error {
	l.text.Reset()
	if l.begun {
		l.text.WriteByte(',')
	} else {
		l.text.WriteString(l.begin)
	}
	l.begun = true
	if err := json.NewEncoder(&l.text).Encode(value); err != nil {
		return err
	}
	l.text.Truncate(l.text.Len() - len("\n"))
	_, err := l.Write(l.text.Bytes())
	return err
}

// end writes what follows the last one.
func (l *list) end(text string) error {
	if !l.begun {
		text = l.begin + text
	}
	_, err := io.WriteString(l, text)
	return err
}
