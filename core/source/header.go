package source

import (
	"fmt"
	"github.com/goverso/verso/core/internal/mistakes"
	"net/textproto"
	"strings"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/mediatype"
)

var invalidHeaderVersion = Rejection{Status: 400, Message: InvalidHeaderVersion}

// Header returns the source that reads a header of the API's own:
//
//	Api-Version: v2
//
// Several lines, and elements separated by commas, are one list (RFC 9110, section 5.3).
// Empty elements and white space are ignored. A request with different elements is
// rejected with [ContradictingVersions], one with more than 8 KiB with [InvalidVersion];
// a header without an element is the empty version. Rejected with status 400 are a
// version that is not served, and a request without a version if there is no default.
// Links do not carry the version.
func Header(name string) Source { return &header{textproto.CanonicalMIMEHeaderKey(name)} }

type header struct{ name string }

func (s *header) Read(r Request, served *ServedVersions) Reading { return readBy(s.read, r, served) }

func (s *header) read(r *Request, _ *ServedVersions, reading *Reading) {
	field, ok := r.Header(s.name)
	switch {
	case !ok:
	case len(field) > mediatype.MaxBytes:
		reading.Outcome = Malformed
	case text.IsToken(field): // one element, the usual case
		reading.Outcome, reading.Text = Found, field
	default:
		first, rest := nextElement(field)
		reading.Outcome, reading.Text = Found, text.Latin1(first)
		for rest != "" && reading.Outcome == Found {
			var other string
			if other, rest = nextElement(rest); other != "" && text.Latin1(other) != reading.Text {
				reading.Outcome = Contradicting
			}
		}
	}
}

// nextElement returns the first element of a list that is not empty, without white
// space around it, and the rest of the list.
func nextElement(list string) (element, rest string) {
	for list != "" && element == "" {
		element, list, _ = strings.Cut(list, ",")
		element = text.Trim(element)
	}
	return element, list
}

func (s *header) Write(w Written, v Version) (Written, error) { return writeBy(s.write, w, v) }

func (s *header) write(w *Written, v Version) { w.SetHeader(s.name, v.String()) }

func (s *header) Describe() Description {
	return Description{Name: fmt.Sprintf("header %q", s.name), Headers: []string{s.name}, Invalid: invalidHeaderVersion, Check: s.check}
}

func (s *header) check(served *ServedVersions) (findings []Finding) {
	if err := catalogue.CheckFieldName(s.name); err != nil {
		mistakes.Each("Source", err, func(code, field, message string) {
			findings = append(findings, refuse(code, field, "%s", message))
		})
	}
	if strings.Contains(s.name, "_") {
		findings = append(findings, warn("header_underscore", "Source", "nginx and other proxies drop the header %q, since its name has an underscore: write hyphens", s.name))
	}
	for _, version := range served.Versions() {
		if !catalogue.Listable(version) {
			findings = append(findings, refuse("version_not_listable", "AllowedVersions",
				"version %q cannot be an element of a header: use printable ASCII without commas and spaces", version))
		}
	}
	return findings
}
