package verso

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/nils"
	"github.com/goverso/verso/core/internal/roster"
)

// Config is what users configure besides the source. The zero Config allows every
// version, has no default version, and builds links with the request's own host.
// Specification: "Configuration".
type Config struct {
	// AllowedVersions lists the versions that the service serves, the oldest
	// first.
	// Optional. Default value: empty, which allows every version, and requests
	// without one. [github.com/goverso/verso/core/adapter.Binding.Explain] warns of that, unless AnyVersion is set.
	AllowedVersions []string

	// Catalogue lists the versions that the service serves, with the dates of
	// their deprecation and sunset: see package catalogue. It replaces
	// AllowedVersions.
	// Optional. Default value: nil, versions have no dates.
	Catalogue *catalogue.Catalogue

	// Clock returns the current time for Catalogue. It is read once for each request.
	// Optional. Default value: time.Now.
	Clock func() time.Time

	// AnyVersion confirms that accepting every version is intended. AllowedVersions must
	// be empty then.
	// Optional. Default value: false.
	AnyVersion bool

	// DefaultVersion is the version of a request without a version. It is always allowed.
	// Optional. Default value: no version.
	DefaultVersion Version

	// AfterDefaultSunset determines how requests without a version are answered after the
	// default version's sunset.
	// Optional. Default value: what a request for that version gets; a warning is logged
	// if the Catalogue ends it.
	AfterDefaultSunset AfterDefaultSunset

	// AllowUnversioned lets a request without a version through although
	// there is a list of allowed versions and no default.
	// Optional. Default value: false.
	AllowUnversioned bool

	// Produces lists the media types that the service can answer with, the preferred one
	// first; "image/*" is any image. Only sources that read the Accept header negotiate among them.
	// Optional. Default value: empty, every media type is acceptable.
	Produces []string

	// Links configures the origin of links.
	// Optional. Default value: the scheme and the host of the request.
	Links LinkConfig

	// Strict rejects requests that the specification lets through.
	// Optional. Default value: none is rejected.
	Strict Strictness

	// Logger gets each warning once: at the first request, or when Explain is
	// called before that.
	// Optional. Default value: nil, slog.Default().
	Logger *slog.Logger

	// Acknowledged lists the codes of warnings that describe what is intended. They stay
	// in Explain, marked, and are not logged. A code with a pattern behind it,
	// "neighbour_shadowed /users/search", is for that route alone. The Explain of an
	// adapter has the finding accepted_unknown for an entry that no finding has.
	// Optional. Default value: empty.
	Acknowledged []string

	// Translator translates the messages of rejections.
	// Optional. Default value: nil, the messages are in English.
	Translator Translator

	// Observe is called once for each request, when its handler or its
	// rejection has returned: to count who still asks for which version. It
	// runs in the goroutine of the request, so it must be fast and safe for
	// concurrent use. ctx is that of the request. See package usage, and
	// docs/usage.md for metrics.
	// Optional. Default value: nil.
	Observe func(ctx context.Context, o Observation)

	// Counters are called as Observe is, before it. Stores of counts add themselves, such as those of
	// package usage: their page knows whether they are still here.
	// Optional. Default value: none.
	Counters []Counter

	// HideAllowedVersions leaves the allowed versions out of rejections, and of their fields.
	// Optional. Default value: false.
	HideAllowedVersions bool
}

// prepare checks what does not depend on the source, and copies what the caller
// could change later.
func (c *Config) prepare() []Finding {
	c.AllowedVersions, c.Produces, c.Acknowledged = slices.Clone(c.AllowedVersions), slices.Clone(c.Produces),
		slices.Clone(c.Acknowledged)
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return slices.Concat(c.checkAllowedVersions(), c.checkDefaultVersion(), c.checkAfterDefaultSunset(),
		c.Links.prepare(), c.Strict.prepare(c), c.checkTranslator(), c.checkCounters())
}

// checkTranslator refuses a nil pointer as the translator.
func (c *Config) checkTranslator() []Finding {
	if c.Translator != nil && nils.Is(c.Translator) {
		return []Finding{finding.Of(codes.TranslatorNil)}
	}
	return nil
}

// checkCounters checks that each counter can be called.
func (c *Config) checkCounters() (findings []Finding) {
	for i, counter := range c.Counters {
		if nils.Is(counter) {
			findings = append(findings, finding.Of(codes.CounterMissing, i+1))
		}
	}
	return findings
}

// checkAllowedVersions checks the texts of the AllowedVersions.
func (c *Config) checkAllowedVersions() (findings []Finding) {
	seen := make(map[string]bool, len(c.AllowedVersions))
	for _, version := range c.AllowedVersions {
		if seen[version] {
			findings = append(findings, finding.Of(codes.VersionTwice, version))
		}
		seen[version] = true
		if strings.TrimSpace(version) != version {
			findings = append(findings, finding.Of(codes.VersionWhiteSpace, version))
		}
	}
	if n := len(c.listed()); n > catalogue.MaxVersions && !c.HideAllowedVersions {
		findings = append(findings, finding.Of(codes.VersionsUnnamed, n, roster.MaxNamed))
	}
	return findings
}

// checkDefaultVersion checks which list of versions there is, and that the default version
// is in it.
func (c *Config) checkDefaultVersion() []Finding {
	d, at := c.DefaultVersion, -1
	if !d.IsNone() {
		at = slices.Index(c.listed(), d.String())
	}
	switch {
	case c.Catalogue != nil && len(c.Catalogue.Versions()) == 0:
		return []Finding{finding.Of(codes.CatalogueEmpty)}
	case c.Catalogue != nil && len(c.AllowedVersions) > 0:
		return []Finding{finding.Of(codes.TwoLists)}
	case c.AnyVersion && !c.allowsAny():
		return []Finding{finding.Of(codes.AnyVersionListed)}
	case c.Catalogue != nil && !d.IsNone() && at < 0:
		return []Finding{finding.Of(codes.DefaultUnknown, d)}
	case c.Catalogue != nil && at >= 0 && c.Catalogue.Entry(at).Preview:
		return []Finding{finding.Of(codes.DefaultPreview, d)}
	case !d.IsNone() && c.AllowUnversioned:
		return []Finding{finding.Of(codes.UnversionedUnused, d)}
	case !c.AnyVersion && c.allowsAny() && !c.Strict.RefuseUnversioned:
		return []Finding{finding.Of(codes.AnyVersionUnsaid)}
	case !c.allowsAny() && !d.IsNone() && at < 0:
		return []Finding{finding.Of(codes.DefaultNotListed, d)}
	}
	return nil
}

// listed returns the versions that are listed, in order, the oldest first.
func (c *Config) listed() []string {
	if c.Catalogue != nil {
		return c.Catalogue.Versions()
	}
	return c.AllowedVersions
}

// versionsOverTime returns the catalogue, or one built from the list. It is nil if every
// version is served, or the empty version, which a catalogue cannot have, and for a list that
// is refused.
func (c *Config) versionsOverTime() *catalogue.Catalogue {
	if c.Catalogue != nil || c.allowsAny() || slices.Contains(c.AllowedVersions, "") {
		return c.Catalogue
	}
	list, _ := catalogue.List(c.AllowedVersions...) // which fails for a version that is listed twice
	return list
}

// allowsAny reports whether every version is served.
func (c *Config) allowsAny() bool { return len(c.listed()) == 0 }

// knownVersions returns the listed versions in order and then the default, if it
// is not among them. It returns none if every version is allowed.
func (c *Config) knownVersions() []string {
	known := slices.Clip(c.listed())
	if d := c.DefaultVersion; len(known) > 0 && !d.IsNone() && !slices.Contains(known, d.String()) {
		known = append(known, d.String())
	}
	return known
}
