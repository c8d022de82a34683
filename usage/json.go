package usage

import (
	"bytes"
	"encoding/json"
	"io"
)

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
