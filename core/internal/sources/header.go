package sources

import (
	"fmt"
	"net/textproto"
	"strings"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/mediatype"
	"github.com/goverso/verso/core/source"
)

// This file reads a version from a header field. In comes the field with all its lines joined to a list, as proxies may
// do (RFC 9110, section 5.3). Out comes its element if all elements are equal: of two that differ, neither is
// more the client's choice than the other.

var invalidHeaderVersion = source.Rejection{Status: 400, Message: source.InvalidHeaderVersion}

// Header is the source of this name in package verso.
func Header(name string) source.Source {
	return newOwn(&header{textproto.CanonicalMIMEHeaderKey(name)})
}

type header struct{ name string }

func (s *header) read(r *source.Request, _ *source.ServedVersions, reading *source.Reading) {
	field, ok := r.Header(s.name)
	switch {
	case !ok:
	case len(field) > mediatype.MaxBytes:
		reading.Outcome = source.Malformed
	case text.IsToken(field): // one element, the usual case
		reading.Outcome, reading.Text = source.Found, field
	default:
		first, rest := nextElement(field)
		reading.Outcome, reading.Text = source.Found, text.Latin1(first)
		for rest != "" && reading.Outcome == source.Found {
			var other string
			if other, rest = nextElement(rest); other != "" && text.Latin1(other) != reading.Text {
				reading.Outcome = source.Contradicting
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

func (s *header) write(w *source.Written, v source.Version) { w.SetHeader(s.name, v.String()) }

func (s *header) Describe() source.Description {
	return source.Description{Name: fmt.Sprintf("header %q", s.name), Headers: []string{s.name},
		Invalid: invalidHeaderVersion, Check: s.check}
}

func (s *header) check(served *source.ServedVersions) (findings []source.Finding) {
	if err := catalogue.CheckFieldName(s.name); err != nil {
		findings = finding.OfCatalogue("Source", err)
	}
	if strings.Contains(s.name, "_") {
		findings = append(findings, finding.Of(codes.HeaderUnderscore, s.name))
	}
	return append(findings, refused(served, func(version string) bool { return !catalogue.Listable(version) }, codes.VersionNotListable)...)
}
