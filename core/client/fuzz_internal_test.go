package client

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
)

var today = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// FuzzDate compares with what the standard library reads, and reads each date again.
func FuzzDate(f *testing.F) {
	for _, text := range []string{
		"@1688169599;a=b", "@-62135596800", "Sun, 30 Jun 2024 23:59:59 UTC", "Friday, 31-Dec-27 23:59:59 GMT", "Fri Dec 31 23:59:59 2027",
		"Fri, 5 Mar 2027 00:00:00 +0100", "2027-06-30T23:59:59.5+02:00[Europe/Paris]", "20270630T235959Z", "2027-06-30 23:59 UTC",
		"Fri Mar 05 2027 01:00:00 GMT+0100 (Central European Standard Time)", "Thursday, 30 June 2027", `"June 30, 2027"`, "1/2/3", "2027-2-3",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		date, ok := parseDate(text, today)
		if ok && (date.Year() < 1 || date.Year() > 9999 || date.Location() != time.UTC || date.Nanosecond() != 0) {
			t.Fatalf("%q is %s", text, date)
		}
		trimmed := strings.Trim(text, " ")
		if want, err := http.ParseTime(trimmed); err == nil && want.Year() > 0 && len(text) <= maxDateBytes && isPlain(trimmed) {
			if _, err := time.Parse(time.RFC850, trimmed); err != nil && (!ok || !date.Equal(want.Truncate(time.Second))) {
				t.Fatalf("%q is %s, %t, instead of %s", text, date, ok, want)
			}
		}
		if !ok {
			return
		}
		for _, layout := range []string{http.TimeFormat, time.RFC1123Z, time.ANSIC, time.UnixDate, time.RFC3339, time.DateTime, "20060102T150405Z"} {
			if again, ok := parseDate(date.Format(layout), today); !ok || !again.Equal(date) {
				t.Fatalf("%q is %s, whose text %q is %s", text, date, date.Format(layout), again)
			}
		}
		if found, _ := earliest([]string{text}, today); found == nil && strings.Count(text, ",") < 3 { // a list is read three elements at a time
			t.Fatalf("%q is %s, but not as a field", text, date)
		}
	})
}

// isPlain reports whether the text has no byte that means something else here.
func isPlain(text string) bool { return !strings.ContainsAny(text, `;(["`) }

func FuzzDates(f *testing.F) {
	f.Add("Wed, 27 Nov 2019 14:34:29 GMT, @1688169599, true", "2027-06-30T23:59:59,5Z")
	f.Add("Nov 27, 2019,,?1", ";")
	f.Add("@1700000000;a=b", "@1688169599")
	f.Add("2027-06-30T00:00:00Z[UTC]", "Fri Mar 05 2027 (CET)")
	f.Fuzz(func(t *testing.T, first, second string) {
		joined, joinedTrue := earliest([]string{first + ",," + second}, today)
		lines, linesTrue := earliest([]string{first, second}, today)
		if len(first)+len(second) > maxDatesBytes-2 {
			return
		}
		a, isA := parseDate(first, today)
		b, isB := parseDate(second, today)
		if b.Before(a) {
			a = b
		}
		if isA && isB && !strings.Contains(first+second, ",") && (joined == nil || !joined.Equal(a)) {
			t.Fatalf("%q and %q are %v instead of %s", first, second, joined, a)
		}
		// A line may end within a date, which the other completes.
		if lines != nil && joined == nil || linesTrue && !joinedTrue && joined == nil {
			t.Fatalf("%q and %q are %v, %t, joined %v, %t", first, second, lines, linesTrue, joined, joinedTrue)
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

// FuzzAccept holds what is sent to what a service reads.
func FuzzAccept(f *testing.F) {
	for _, line := range []string{"", "*/*", "text/html, application/json;q=0.9, */*;q=0", `a/b; c="d,;\""; q=1;x`, `a/b; c="d,q=""`, "application/vnd.acme.v1+json", "a/b;version=v1", "a, b/, ;q=1, /"} {
		f.Add(line)
	}
	param := verso.AcceptParam("version")
	template := verso.MediaType("application/vnd.acme.{resource}-{version}+json")
	version := verso.V("v2")
	f.Fuzz(func(t *testing.T, line string) {
		for _, source := range []verso.Source{param, template} {
			p, err := newPlace(source, false, version)
			if err != nil {
				t.Fatal(err)
			}
			r := &http.Request{URL: new(url.URL), Header: http.Header{"Accept": {line}}}
			sent, asked := p.write(r, version)
			if r.Header.Get("Accept") != line {
				t.Fatal("the request was modified")
			}
			own, has := p.own(sent)
			if sent == r || asked.IsNone() {
				continue
			}
			if !has || own != asked || asked != version {
				t.Fatalf("%q became %q, of %#v", line, sent.Header["Accept"], own)
			}
		}
	})
}
