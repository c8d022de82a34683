// Package client calls the bookings service from a program in Go.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
)

// Client calls the service in one version. B is a booking in that version, such
// as api.BookingV3. It is safe for concurrent use.
type Client[B any] struct {
	http   *http.Client
	origin *url.URL
	token  string
}

// New returns a client of the service at an origin, "https://api.acme.example",
// that asks for a version. What the service says of that version, such as that
// it is deprecated, is logged once.
func New[B any](origin, token string, version verso.Version, log *slog.Logger) (*Client[B], error) {
	base, err := url.Parse(origin)
	if err != nil {
		return nil, err
	}
	transport, err := client.New(client.Config{
		Source:  verso.Header("Api-Version"),
		Version: version,
		Hosts:   []string{base.Host},
		Logger:  log,
	})
	if err != nil {
		return nil, err
	}
	return &Client[B]{&http.Client{Transport: transport}, base, token}, nil
}

// Create makes a booking, and returns it as the service has it.
func (c *Client[B]) Create(ctx context.Context, booking B) (created B, err error) {
	body, err := json.Marshal(booking)
	if err != nil {
		return created, err
	}
	err = c.do(ctx, http.MethodPost, "/bookings", bytes.NewReader(body), &created)
	return created, err
}

// All yields all bookings. It follows the links of the pages, which stay in the
// version.
func (c *Client[B]) All(ctx context.Context) iter.Seq2[B, error] {
	return func(yield func(B, error) bool) {
		for next := "/bookings"; next != ""; {
			var page struct {
				Items []B
				Next  string
			}
			if err := c.do(ctx, http.MethodGet, next, nil, &page); err != nil {
				yield(*new(B), err)
				return
			}
			for _, b := range page.Items {
				if !yield(b, nil) {
					return
				}
			}
			next = page.Next
		}
	}
}

// do asks for a target, which may be a link of the service.
func (c *Client[B]) do(ctx context.Context, method, target string, body io.Reader, into any) error {
	link, err := c.origin.Parse(target)
	if err != nil {
		return err
	}
	if link.Scheme != c.origin.Scheme || link.Host != c.origin.Host {
		return fmt.Errorf("the link %q leads to another host than %q, which the token is not for", target, c.origin.Host)
	}
	request, err := http.NewRequestWithContext(ctx, method, link.String(), body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusBadRequest {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
		return fmt.Errorf("%s %s: %s: %s", method, target, response.Status, bytes.TrimSpace(text))
	}
	return json.NewDecoder(response.Body).Decode(into)
}
