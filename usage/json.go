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

// writeJSON writes everything: the versions one after the other, and their clients.
func writeJSON(r *report, w io.Writer) error {
	head := *r
	head.Versions = nil
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(bytes.TrimSuffix(text, []byte("null}")), '[')); err != nil {
		return err
	}
	comma := ""
	for v, err := range allVersions(r) {
		if err == nil {
			err = writeVersion(r, w, v, comma)
		}
		if err != nil {
			return err
		}
		comma = ","
	}
	_, err = io.WriteString(w, "]}\n")
	return err
}

// writeVersion writes a version, and its clients with their routes.
func writeVersion(r *report, w io.Writer, v *versionReport, comma string) error {
	if err := nameFew(r, v); err != nil {
		return err
	}
	head := *v
	head.Clients = nil
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, comma+string(bytes.TrimSuffix(text, []byte("}")))); err != nil {
		return err
	}
	comma = `,"clients":[`
	clients := make([]*movingClient, len(v.Clients))
	for i := range clients {
		clients[i] = &v.judged[i]
	}
	if err := withRoutes(r, v, clients, func(c *movingClient, n *clientReport) error {
		client := *v.client(c)
		client.Routes = n.Routes
		text, err := json.Marshal(client)
		if err == nil {
			_, err = io.WriteString(w, comma+string(text))
		}
		comma = ","
		return err
	}); err != nil {
		return err
	}
	end := "}"
	if len(clients) > 0 {
		end = "]}"
	}
	_, err = io.WriteString(w, end)
	return err
}
