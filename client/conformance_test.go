package client_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goverso/verso/client"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// TestConformance runs the cases of the operation notice.
func TestConformance(t *testing.T) {
	cases, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	cases = slices.DeleteFunc(cases, func(c conformance.Case) bool { return c.Op != "notice" })
	if len(cases) == 0 {
		t.Fatal("there are no cases")
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			var notice noticeCase
			err := c.Decode(&notice)
			if err == nil {
				err = notice.check()
			}
			if err != nil {
				t.Errorf("%v\nrule: %s\ncase: %s", err, c.Rule, c.Source)
			}
		})
	}
	t.Logf("conformance: %d cases run", len(cases))
}

// noticeCase is a case of the operation notice.
type noticeCase struct {
	Now      time.Time `json:"now"`
	Asked    string    `json:"asked"`
	Settings struct {
		HeaderName string `json:"header_name"`
	} `json:"settings"`
	Response struct {
		URL     string              `json:"url"`
		Status  int                 `json:"status"`
		Headers map[string][]string `json:"headers"`
	} `json:"response"`
	Want noticeWant `json:"want"`
}

// noticeWant is the notice that a response causes.
type noticeWant struct {
	Notice     bool         `json:"notice"`
	Level      string       `json:"level"` // "info", "warn" or "error"
	Deprecated *time.Time   `json:"deprecated"`
	Sunset     *time.Time   `json:"sunset"`
	Links      []noticeLink `json:"links"`
	Newer      []string     `json:"newer"`
	Served     string       `json:"served"`
	RetryAfter int64        `json:"retry_after"`
}

type noticeLink struct {
	Rel  string `json:"rel"`
	Href string `json:"href"`
}

// check sends a request through a transport, whose base returns the response of the
// case.
func (c *noticeCase) check() error {
	u, err := url.Parse(c.Response.URL)
	if err != nil {
		return err
	}
	header := make(http.Header)
	for name, lines := range c.Response.Headers {
		for _, line := range lines {
			header.Add(name, latin1(line))
		}
	}
	answer := &http.Response{StatusCode: c.Response.Status, Header: header.Clone(), Body: http.NoBody}
	var heard notices
	config := v1(base(func(r *http.Request) (*http.Response, error) {
		answer.Request = r
		return answer, nil
	}), &heard)
	config.Source, config.Version = verso.Header(cmp.Or(c.Settings.HeaderName, "Api-Version")), verso.V(c.Asked)
	config.Hosts, config.Clock = []string{u.Host}, func() time.Time { return c.Now }
	transport, err := client.New(config)
	if err != nil {
		return err
	}
	got, err := transport.RoundTrip(&http.Request{Method: http.MethodGet, URL: u, Header: make(http.Header)}) //nolint:bodyclose // the body of answer
	answer.Body.Close()
	if err != nil || got != answer || !reflect.DeepEqual(answer.Header, header) {
		return fmt.Errorf("the answer was changed: %v, error %w", got, err)
	}
	switch all := heard.take(); {
	case !c.Want.Notice && len(all) == 0:
		return nil
	case !c.Want.Notice || len(all) != 1:
		return fmt.Errorf("the notices are %+v", all)
	default:
		return c.Want.judge(&all[0])
	}
}

// judge returns an error for a wrong notice. Dates are compared by their second.
func (w *noticeWant) judge(n *client.Notice) error {
	links := slices.EqualFunc(n.Links, w.Links, func(got client.Link, want noticeLink) bool { return got == client.Link(want) })
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

// latin1 returns text encoded as ISO-8859-1, as the cases write field lines.
func latin1(text string) string {
	var bytes strings.Builder
	for _, char := range text {
		bytes.WriteByte(byte(char))
	}
	return bytes.String()
}
