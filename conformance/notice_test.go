package conformance

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/client"
)

// roundTripper is the base of a client under test.
type roundTripper func(*http.Request) (*http.Response, error)

func (send roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return send(r) }

// noticeWant is the notice that a response causes.
type noticeWant struct {
	Notice     bool       `json:"notice"`
	Level      string     `json:"level"` // "info", "warn" or "error"
	Deprecated *time.Time `json:"deprecated"`
	Sunset     *time.Time `json:"sunset"`
	Links      []struct {
		Rel  string `json:"rel"`
		Href string `json:"href"`
	} `json:"links"`
	Newer      []string `json:"newer"`
	Served     string   `json:"served"`
	RetryAfter int64    `json:"retry_after"`
}

// checkNotice sends a request through a client.Transport, whose base returns the
// response of the case. Dates are compared by their second.
func checkNotice(c *Case) error {
	var d struct {
		Asked    string `json:"asked"`
		Response struct {
			URL     string              `json:"url"`
			Status  int                 `json:"status"`
			Headers map[string][]string `json:"headers"`
		} `json:"response"`
		Want noticeWant `json:"want"`
	}
	if err := c.Decode(&d); err != nil {
		return err
	}
	if c.Scheme == "header" {
		c.service.Settings.HeaderName = cmp.Or(c.service.Settings.HeaderName, "Api-Version")
	}
	source, sourceErr := c.service.source(c.Scheme)
	config, configErr := c.service.config()
	u, urlErr := url.Parse(d.Response.URL)
	if err := errors.Join(sourceErr, configErr, urlErr); err != nil {
		return err
	}
	header := make(http.Header)
	for name, lines := range d.Response.Headers {
		for _, line := range lines {
			header.Add(name, string(latin1Bytes(line)))
		}
	}
	answer := &http.Response{StatusCode: d.Response.Status, Header: header.Clone(), Body: http.NoBody}
	var notices []client.Notice
	transport, err := client.New(client.Config{
		Base: roundTripper(func(r *http.Request) (*http.Response, error) {
			answer.Request = r
			return answer, nil
		}),
		Source: source, Version: verso.V(d.Asked), Hosts: []string{u.Host}, Clock: config.Clock,
		Logger:   slog.New(slog.DiscardHandler),
		OnNotice: func(n client.Notice) { notices = append(notices, n) },
	})
	if err != nil {
		return err
	}
	got, err := transport.RoundTrip(&http.Request{Method: http.MethodGet, URL: u, Header: make(http.Header)}) //nolint:bodyclose // the body of answer
	answer.Body.Close()
	if err != nil || got != answer || !reflect.DeepEqual(answer.Header, header) {
		return fmt.Errorf("the answer was changed: %v, error %w", got, err)
	}
	switch {
	case !d.Want.Notice && len(notices) == 0:
		return nil
	case !d.Want.Notice || len(notices) != 1:
		return fmt.Errorf("the notices are %+v", notices)
	}
	return d.Want.judge(&notices[0])
}

// judge returns an error for a wrong notice.
func (w *noticeWant) judge(n *client.Notice) error {
	links := slices.EqualFunc(n.Links, w.Links, func(got client.Link, want struct {
		Rel  string `json:"rel"`
		Href string `json:"href"`
	},
	) bool {
		return got.Rel == want.Rel && got.Href == want.Href
	})
	if strings.EqualFold(n.Level.String(), w.Level) && sameSecond(n.DeprecatedAt, w.Deprecated) && sameSecond(n.SunsetAt, w.Sunset) && links &&
		slices.Equal(n.Newer, w.Newer) && n.Served == w.Served && n.RetryAfter == time.Duration(w.RetryAfter)*time.Second {
		return nil
	}
	got, _ := json.Marshal(n)
	want, _ := json.Marshal(w)
	return fmt.Errorf("the notice is %s instead of %s", got, want)
}

// sameSecond reports whether two dates are the same, or both absent.
func sameSecond(a, b *time.Time) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Unix() == b.Unix())
}
