package client

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
)

// The fields that say something about a version. Link and Retry-After alone say
// nothing (RFC 9745, section 3.1).
const (
	deprecationField = "Deprecation"
	sunsetField      = "Sunset"
	supportedField   = "Api-Supported-Versions"
	deprecatedField  = "Api-Deprecated-Versions"
)

// listen reports what an answer says, if it is new.
func (t *Transport) listen(sent *http.Request, response *http.Response, asked verso.Version) {
	header := response.Header
	if len(header[deprecationField]) == 0 && len(header[sunsetField]) == 0 &&
		len(header[supportedField]) == 0 && len(header[deprecatedField]) == 0 && len(t.servedLines(header)) == 0 {
		return
	}
	now := t.clock()
	key, isKey := t.keyOf(sent, response, asked)
	if isKey && t.known.has(key, now) {
		return
	}
	notice, says := t.read(response, asked, now)
	if says {
		answered := sent.URL
		if r := response.Request; r != nil && r.URL != nil {
			answered = r.URL
		}
		notice.Host, notice.Method, notice.Path = strings.ToLower(sent.URL.Host), sent.Method, sent.URL.EscapedPath()
		notice.Links = parseLinks(header["Link"], answered)
		t.reportNew(sent.Context(), &notice, now)
	}
	if isKey {
		t.known.add(key, &notice, now)
	}
}

// reportNew reports the notice, unless it was reported before.
func (t *Transport) reportNew(ctx context.Context, notice *Notice, now time.Time) {
	switch t.reported.add(notice, now) {
	case isNew:
		t.report(ctx, *notice)
	case isTooMuch:
		t.sayNothingMore.Do(func() {
			t.say(ctx, slog.LevelWarn, "verso: many different notices about API versions were reported: nothing new will be",
				slog.Int("notices", maxReported))
		})
	}
}

// servedLines returns the lines of the field that has the version of an answer:
// the one that it is asked for in.
func (t *Transport) servedLines(header http.Header) []string {
	if t.place.name == "" || t.place.name == "Accept" {
		return nil
	}
	return header[t.place.name]
}

// read reads what an answer says, but for its links. ok is false when it says
// nothing.
func (t *Transport) read(response *http.Response, asked verso.Version, now time.Time) (n Notice, ok bool) {
	header := response.Header
	n = Notice{Asked: asked, Status: response.StatusCode}
	n.DeprecatedAt, n.Deprecated = earliest(header[deprecationField], now)
	isDeprecated := n.Deprecated || n.DeprecatedAt != nil && n.DeprecatedAt.Unix() <= now.Unix()
	n.SunsetAt, _ = earliest(header[sunsetField], now)
	supported, isListed := readLists(&n, header[supportedField], header[deprecatedField])
	isDeprecated = isDeprecated || isListed
	n.Deprecated = isDeprecated || n.DeprecatedAt != nil
	for served := range elements(t.servedLines(header)) {
		if text := latin1Text(served); !asked.IsNone() && text != asked.String() {
			n.Served = strings.Clone(text)
		}
		break
	}

	retryAfter, retries := parseRetryAfter(header["Retry-After"], now)
	isOff := response.StatusCode == http.StatusGone || response.StatusCode == http.StatusServiceUnavailable && retries
	switch {
	case isOff && (n.Deprecated || n.SunsetAt != nil || supported == isMissing):
		n.Level, n.RetryAfter = slog.LevelError, retryAfter
	case isDeprecated || n.SunsetAt != nil || n.Served != "":
		n.Level = slog.LevelWarn
	case n.Deprecated || len(n.Newer) > 0:
		n.Level = slog.LevelInfo
	default:
		return n, false
	}
	return n, true
}

// membership is whether the version asked for is in the lists of versions.
type membership uint8

const (
	isUnknown membership = iota // there is no list, or no version
	isMissing                   // it is in no list
	isMember
)

// readLists reads the lists of versions into the notice.
func readLists(n *Notice, supported, deprecated []string) (found membership, isDeprecated bool) {
	if n.Asked.IsNone() {
		return isUnknown, false
	}
	asked := n.Asked.String()
	for version := range elements(deprecated) {
		found = max(found, isMissing)
		if version == asked {
			found, isDeprecated = isMember, true
		}
	}
	var after bool
	for version := range elements(supported) {
		found = max(found, isMissing)
		switch {
		case version == asked:
			found, after, n.Newer = isMember, true, nil
		case after && len(n.Newer) < maxNewer && !slices.Contains(n.Newer, version):
			n.Newer = append(n.Newer, strings.Clone(version))
		}
	}
	return found, isDeprecated
}

// maxRetryAfter bounds Retry-After: a year.
const maxRetryAfter = 366 * 24 * 3600

// parseRetryAfter reads seconds or a date (RFC 9110, section 10.2.3). ok is false
// when there is neither.
func parseRetryAfter(lines []string, now time.Time) (after time.Duration, ok bool) {
	for line := range bounded(lines, maxDatesBytes) {
		text := trim(line)
		seconds, isNumber := number(text, 1, 18)
		if !isNumber {
			date, isDate := parseDate(text, now)
			if !isDate {
				continue
			}
			seconds = date.Unix() - now.Unix()
		}
		return time.Duration(min(max(seconds, 0), maxRetryAfter)) * time.Second, true
	}
	return 0, false
}
