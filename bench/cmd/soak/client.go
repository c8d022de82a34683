package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"time"
)

// client sends requests over one connection. It writes them by itself, since
// what it costs is missing to the server: they share the machine.
type client struct {
	address string
	conn    net.Conn // nil when there is none
	reader  *bufio.Reader
	request []byte
	body    bytes.Buffer
}

// clients are those of one sender, for the service of each scheme.
type clients []*client

func newClients(addresses []string) clients {
	cs := make(clients, 0, len(addresses))
	for _, address := range addresses {
		cs = append(cs, &client{address: address})
	}
	return cs
}

func (cs clients) close() {
	for _, c := range cs {
		c.close()
	}
}

// patience is how long a client waits for an answer.
const patience = 10 * time.Second

// do sends a request and checks the answer, unless any will do. It returns the status, 0 when there
// is no answer, and an error that says what is wrong.
func (c *client) do(e *exchange) (status int, err error) {
	if c.conn == nil {
		if err := c.dial(); err != nil {
			return 0, err
		}
	}
	got, err := c.roundTrip(e)
	if err != nil {
		c.close()
		return 0, err
	}
	if e.want != (answer{}) && got != e.want {
		return got.status, fmt.Errorf("%.80s for host %.80s: the answer is %+v, not %+v", e.Target(), e.Host, got, e.want)
	}
	return got.status, nil
}

func (c *client) dial() error {
	conn, err := net.DialTimeout("tcp", c.address, patience)
	if err != nil {
		return err
	}
	c.conn, c.reader = conn, bufio.NewReader(conn)
	return nil
}

func (c *client) roundTrip(e *exchange) (answer, error) {
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return answer{}, err
	}
	c.request = e.appendTo(c.request[:0])
	if _, err := c.conn.Write(c.request); err != nil {
		return answer{}, err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }() // read to its end
	c.body.Reset()
	if _, err := c.body.ReadFrom(response.Body); err != nil {
		return answer{}, err
	}
	if response.Close {
		c.close()
	}
	got := answer{status: response.StatusCode, language: response.Header.Get("Content-Language")}
	if got.status == http.StatusOK {
		got.version = versionIn(c.body.Bytes())
	}
	return got, nil
}

func (c *client) close() {
	if c.conn != nil {
		_ = c.conn.Close() // of a connection that nobody needs any more
		c.conn = nil
	}
}

// appendTo appends the request as it goes over the wire.
func (e *exchange) appendTo(b []byte) []byte {
	b = append(append(b, "GET "...), e.Path...)
	if e.Query != "" {
		b = append(append(b, '?'), e.Query...)
	}
	b = append(append(b, " HTTP/1.1\r\nHost: "...), e.Host...)
	if e.Accept != "" {
		b = append(append(b, "\r\nAccept: "...), e.Accept...)
	}
	if e.language != "" {
		b = append(append(b, "\r\nAccept-Language: "...), e.language...)
	}
	return append(b, "\r\n\r\n"...)
}

// versionIn returns the version in the body of an answer, or the whole body
// when it is another one.
func versionIn(body []byte) string {
	text := bytes.TrimSpace(body)
	if version, ok := bytes.CutPrefix(text, []byte(`{"version":"`)); ok {
		if version, ok := bytes.CutSuffix(version, []byte(`"}`)); ok {
			return string(version)
		}
	}
	return string(text)
}
