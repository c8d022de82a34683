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

// writeJSON writes the versions one after the other, and their clients as they are read. A summary has no single
// clients and routes but of the versions that move.
func writeJSON(r *report, w io.Writer, pinned map[string]*pins, summary bool) error {
	head := *r
	head.Versions = nil
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(bytes.TrimSuffix(text, []byte("null}")), '[')); err != nil {
		return err
	}
	for i := range r.Versions {
		if i > 0 {
			_, _ = io.WriteString(w, ",") // the next one fails as well
		}
		if err := writeVersion(r, w, &r.Versions[i], pinned, summary); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "]}\n")
	return err
}

// writeVersion writes a version. Its sums come after its clients.
func writeVersion(r *report, w io.Writer, v *versionReport, pinned map[string]*pins, summary bool) error {
	head := *v
	if summary {
		head.Days = nil
	}
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if _, err := w.Write(bytes.TrimSuffix(text, []byte("}"))); err != nil {
		return err
	}
	if v.moves() {
		if err := writeMoving(r, w, v, pinned); err != nil {
			return err
		}
	}
	if !summary {
		if err := writeClients(r, w, v, pinned); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "}")
	return err
}

// writeMoving writes how far the clients of a version are, and whether it may end.
func writeMoving(r *report, w io.Writer, v *versionReport, pinned map[string]*pins) error {
	all := list{Writer: w, begin: `,"moving":{"clients":[`}
	g, sum := newGate(r, v, noExceptions), moving{}
	for v, err := range inParts(r, v, pinned) {
		if err != nil {
			return err
		}
		if !v.many {
			if err := nameRoutes(r, v, v.Moving.Clients); err != nil {
				return err
			}
		}
		for _, c := range v.Moving.Clients {
			if err := all.add(c); err != nil {
				return err
			}
		}
		g.take()
		sum.join(v.Moving)
	}
	text, err := json.Marshal(&sum)
	if err != nil {
		return err
	}
	if err := all.end("]," + string(text[1:])); err != nil || !r.knowsPins(v) {
		return err
	}
	return writeReady(w, g)
}

func writeReady(w io.Writer, g *gate) error {
	if _, err := io.WriteString(w, `,"ready":`); err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(g.end())
}

// writeClients writes the clients of a version with their routes, and whether it may end, if writeMoving does not.
func writeClients(r *report, w io.Writer, v *versionReport, pinned map[string]*pins) error {
	all := list{Writer: w, begin: `,"clients":[`}
	g := newGate(r, v, noExceptions)
	for v, err := range inParts(r, v, pinned) {
		if err != nil {
			return err
		}
		g.take()
		clients := make([]*movingClient, 0, len(v.Clients)) // and not those that are only pinned
		for i := range v.judged {
			if c := &v.judged[i]; c.counted != "" {
				clients = append(clients, c)
			}
		}
		if err := withRoutes(r, v, clients, func(c *movingClient, n *clientReport) error {
			client := *v.client(c)
			client.Routes = n.Routes
			return all.add(client)
		}); err != nil {
			return err
		}
	}
	if err := all.end("]"); err != nil || v.moves() || v.Version == "" || !r.knowsPins(v) {
		return err
	}
	return writeReady(w, g)
}

// list writes a list of JSON, whose values are not held.
type list struct {
	io.Writer
	begin string // before the first one
	begun bool
}

func (l *list) add(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	begin := l.begin
	if l.begun {
		begin = ","
	}
	l.begun = true
	_, err = l.Write(append([]byte(begin), text...))
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
