package sources

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/hostname"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// This file reads a version from the host of a request. In comes the host as the client sent it, which matches in any
// case unless the pattern begins with (?-i); out comes the version in the spelling of the list. For a link it puts
// another version in the same place, and reads the new host once more before it takes it: a pattern may match
// elsewhere then, and a host is what a client trusts.

var invalidHostNameVersion = source.Rejection{Status: 404, Message: source.InvalidHostNameVersion}

// maxHostBytes is the longest host that a pattern is matched against. DNS names
// have at most 253 characters.
const maxHostBytes = 512

// HostLabel is the source of this name in package verso.
func HostLabel(pattern string) source.Source {
	pattern, exact := strings.CutPrefix(pattern, exactHost)
	s := &hostLabel{text: pattern, exact: exact}
	if pattern == "" {
		return newOwn(s)
	}
	if s.own, s.group, s.err = wholeHost(pattern, syntax.Perl); s.err == nil && !exact {
		s.folded, s.group, s.err = wholeHost(pattern, syntax.Perl|syntax.FoldCase)
	}
	return newOwn(s)
}

// wholeHost returns the expressions for a whole host, and for the version in group 1, nil without a group.
func wholeHost(pattern string, flags syntax.Flags) (host, group *regexp.Regexp, err error) {
	parsed, err := syntax.Parse(pattern, flags)
	if err != nil {
		return nil, nil, err
	}
	if g := groupOne(parsed); g != nil {
		group, _ = whole(g)
	}
	host, err = whole(parsed)
	return host, group, err
}

// whole returns the parsed pattern with anchors: an open \Q in its text would quote them.
func whole(parsed *syntax.Regexp) (*regexp.Regexp, error) {
	return regexp.Compile(`\A(?:` + parsed.String() + `)\z`)
}

// groupOne returns group 1 of a pattern, or nil.
func groupOne(r *syntax.Regexp) *syntax.Regexp {
	if r.Op == syntax.OpCapture && r.Cap == 1 {
		return r.Sub[0]
	}
	for _, sub := range r.Sub {
		if group := groupOne(sub); group != nil {
			return group
		}
	}
	return nil
}

// exactHost begins a case-sensitive pattern.
const exactHost = "(?-i)"

type hostLabel struct {
	text   string         // of the pattern
	own    *regexp.Regexp // nil: the built-in pattern, scanned by hand
	folded *regexp.Regexp // own for hosts in another case, which takes longer
	group  *regexp.Regexp // group 1 of own, or of folded
	exact  bool           // cases differ
	err    error          // of the pattern
}

func (s *hostLabel) read(r *source.Request, served *source.ServedVersions, reading *source.Reading) {
	host, set := r.Host(), in(served).Set()
	if set.Dotless {
		name := hostname.WithoutPort(host)
		host = strings.TrimSuffix(name, ".") // no pattern reads the port
	}
	if s.own != nil {
		host, _, _ = strings.Cut(host, ":")
	}
	start, end, ok := s.find(host)
	switch {
	case !ok:
		reading.Outcome = source.NoPlace
	case start < 0: // group 1 is optional and took no part
		reading.Outcome = source.Unversioned
	default:
		label := host[start:end]
		if !s.exact && (!set.IsLower || text.HasUpper(label)) {
			label = anyCase(label, in(served))
		}
		reading.Outcome, reading.Text = source.Found, label
	}
}

// anyCase returns a label, or the version that differs from it only in case. Where every version
// is served, it is in lower case.
func anyCase(label string, served *roster.Versions) string {
	set := served.Set()
	if !set.Any && served.Serves(label) {
		return label
	}
	for _, version := range set.All {
		if text.EqualFold(version.Text, label) {
			return version.Text
		}
	}
	if set.Any {
		return strings.ToLower(label)
	}
	return label
}

// write moves the host of a link to the version that the target names. A link
// in the request's own version keeps the request's host.
func (s *hostLabel) write(w *source.Written, v source.Version) {
	if !w.Stays() {
		version := v.String()
		w.SetHost(func(host string) (string, error) { return s.moved(host, version) })
	}
}

func (s *hostLabel) Describe() source.Description {
	return source.Description{
		Name: "host name", Place: source.InHost, AlwaysFinds: s.answersAlways(),
		Invalid: invalidHostNameVersion, Missing: invalidHostNameVersion, Check: s.check,
	}
}

func (s *hostLabel) check(served *source.ServedVersions) (findings []source.Finding) {
	switch {
	case s.err != nil:
		return []source.Finding{finding.Of(codes.HostExpression, s.text, s.err)}
	case s.own != nil && s.own.NumSubexp() < 1:
		return []source.Finding{finding.Of(codes.HostGroup, s.text)}
	case strings.Contains(s.text, "://"), withPort.MatchString(s.text):
		return []source.Finding{finding.Of(codes.HostMore, s.text)}
	}
	set := in(served).Set()
	for i, version := range set.Known {
		other := slices.IndexFunc(set.Known[:i], func(other string) bool { return text.EqualFold(other, version) })
		if other >= 0 && !s.exact {
			findings = append(findings, finding.Of(codes.VersionOneHost, set.Known[other], version))
		}
	}
	for _, version := range set.Known {
		switch {
		case set.HasDefault && version == set.Default:
		case s.own == nil && !text.All(version, text.IsAlphanumeric):
			findings = append(findings, finding.Of(codes.VersionNotInHost, version))
		case s.group != nil && !s.group.MatchString(version):
			findings = append(findings, finding.Of(codes.VersionNotInGroup, s.text, version))
		}
	}
	return findings
}

// withPort matches a pattern with a port at its end.
var withPort = regexp.MustCompile(`:(\d+|\\d[+*]?)\$?$`)

// answersAlways reports whether the pattern finds a version in hosts of any kind, so
// that a source after it is never asked.
func (s *hostLabel) answersAlways() bool {
	if s.own == nil || s.own.NumSubexp() < 1 {
		return false
	}
	return !slices.ContainsFunc([]string{"", "api.example.com", "127.0.0.1"}, func(host string) bool {
		start, _, ok := s.find(host)
		return !ok || start < 0
	})
}

// find returns where the version is in a host name. ok is false if the name does not
// match the pattern. start is negative if the name matches without a version.
func (s *hostLabel) find(name string) (start, end int, ok bool) {
	if s.own == nil {
		label, ok := hostname.FirstOfThreeLabels(name)
		return 0, len(label), ok
	}
	if len(name) > maxHostBytes {
		return 0, 0, false
	}
	match := s.own.FindStringSubmatchIndex(name)
	if match == nil && s.folded != nil {
		match = s.folded.FindStringSubmatchIndex(name)
	}
	if match == nil {
		return 0, 0, false
	}
	return match[2], match[3], true
}

// moved replaces the version in a host.
func (s *hostLabel) moved(host, version string) (string, error) {
	if host == "" {
		return "", fmt.Errorf("%w: a relative URL has no host to carry version %q: set an origin", route.ErrNoMatch,
			version)
	}
	name, _, _ := strings.Cut(host, ":")
	start, end, ok := s.find(name)
	if !ok || start < 0 {
		return "", fmt.Errorf("%w: host %q has no place for a version in the host pattern", route.ErrNoMatch, host)
	}
	moved := name[:start] + version + name[end:]
	movedHost := moved + host[len(name):]
	if from, to, ok := s.find(moved); !ok || from < 0 || moved[from:to] != version || !hostname.IsValid(movedHost) {
		return "", fmt.Errorf("%w: version %q cannot be in host %q", route.ErrNoMatch, version, host)
	}
	return movedHost, nil
}
