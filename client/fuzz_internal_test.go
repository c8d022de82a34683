package client

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

var today = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// FuzzDates compares dates with those that the standard library reads, and reads
// each date again.
func FuzzDates(f *testing.F) {
	for _, text := range []string{
		"@1688169599;a=b", "@-62135596800", "Sun, 30 Jun 2024 23:59:59 UTC", "Friday, 31-Dec-27 23:59:59 GMT", "Fri Dec 31 23:59:59 2027",
		"Fri, 5 Mar 2027 00:00:00 +0100", "2027-06-30T23:59:59.5+02:00[Europe/Paris]", "20270630T235959Z", "2027-06-30 23:59 UTC",
		"Fri Mar 05 2027 01:00:00 GMT+0100 (Central European Standard Time)", "Thursday, 30 June 2027", `"June 30, 2027"`, "1/2/3", "2027-2-3",
		"Wed, 27 Nov 2019 14:34:29 GMT, @1688169599, true", "Nov 27, 2019,,?1", "29 Feb 00", "1 Jan 1 00:00:00 EST", "?1", "\xff,(",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		date, isTrue := earliest([]string{text}, today)
		if twice, alsoTrue := earliest([]string{text, text}, today); len(text) <= maxDatesBytes/2 && (second(twice) != second(date) || alsoTrue != isTrue) {
			t.Fatalf("%q is %v, %t, twice %v, %t", text, date, isTrue, twice, alsoTrue)
		}
		if want, err := time.Parse(http.TimeFormat, text); err == nil && want.Year() > 0 && len(text) <= maxDatesBytes && (date == nil || date.Unix() != want.Unix()) {
			t.Fatalf("%q is %v, want %s", text, date, want)
		}
		if date == nil {
			return
		}
		if date.Year() < 1 || date.Year() > 9999 || date.Location() != time.UTC || date.Nanosecond() != 0 {
			t.Fatalf("%q is %s", text, date)
		}
		for _, layout := range []string{http.TimeFormat, time.RFC1123, time.RFC1123Z, time.ANSIC, time.UnixDate, time.RFC3339, time.DateTime, "20060102T150405Z"} {
			if again, _ := earliest([]string{date.Format(layout)}, today); again == nil || !again.Equal(*date) {
				t.Fatalf("%q is %s, whose text %q is %v", text, date, date.Format(layout), again)
			}
		}
	})
}

func FuzzLinks(f *testing.F) {
	f.Add(`<https://a.example/n>; rel="next", <https://a.example/s?a,b>; rel=sunset`, "https://api.example.com/v1?a=b")
	f.Add(`</s>; rel="sunset deprecation"; anchor="#a"; title="\", <"`, "http://me:secret@[::1]:80/")
	f.Add(`<mailto:a@b>; rel=latest-version,<javascript:1>;rel=sunset,<//a b>;rel=sunset`, "http://a/")
	f.Fuzz(func(t *testing.T, line, base string) {
		u, err := url.Parse(base)
		if err != nil || u.Host == "" || u.Opaque != "" {
			return
		}
		u.User = url.UserPassword("me", "the-secret")
		links := parseLinks([]string{line, line}, u)
		if once := parseLinks([]string{line}, u); len(line) <= maxLinksBytes/2 && !slices.Equal(once, links) {
			t.Fatalf("once %v, twice %v", once, links)
		}
		if len(links) > maxLinks {
			t.Fatalf("%d links", len(links))
		}
		for _, link := range links {
			target, err := url.Parse(link.Href)
			if err != nil || !slices.Contains(relations, link.Rel) || !slices.Contains([]string{"http", "https", "mailto"}, target.Scheme) {
				t.Fatalf("link %q: %v", link, err)
			}
			if strings.Contains(link.Href, "the-secret") && !strings.Contains(line, "the-secret") {
				t.Fatalf("link %q", link)
			}
		}
	})
}

// FuzzAccept compares what the client sends with what a service reads.
func FuzzAccept(f *testing.F) {
	for _, line := range []string{"", "*/*", "text/html, application/json;q=0.9, */*;q=0", `a/b; c="d,;\""; q=1;x`, `a/b; c="d,q=""`, "application/vnd.acme.v1+json", "a/b;version=v1", "a, b/, ;q=1, /"} {
		f.Add(line)
	}
	param := verso.AcceptParam("version")
	template := verso.MediaType("application/vnd.acme.{resource}-{version}+json")
	version := verso.V("v2")
	f.Fuzz(func(t *testing.T, line string) {
		for _, from := range []source.Source{param, template} {
			p, err := newPlace(from, version)
			if err != nil {
				t.Fatal(err)
			}
			r := &http.Request{URL: new(url.URL), Header: http.Header{"Accept": {line}}}
			sent, asked := p.write(r, version)
			if r.Header.Get("Accept") != line {
				t.Fatal("the request was modified")
			}
			if sent == r || asked.IsNone() {
				continue
			}
			if again, own := p.write(sent, version); again != sent || own != asked || asked != version {
				t.Fatalf("%q became %q, of %#v", line, sent.Header["Accept"], own)
			}
		}
	})
}
