package verso

import (
	"fmt"
	"slices"
)

// Scheme determines the API version of a request and builds URLs that carry
// it. A Scheme does not change once it is made and is safe for concurrent use.
// The specification describes five; own ones embed [Base].
type Scheme interface {
	// DetermineVersion returns the version that the request asks for: one
	// that the settings allow, the default version, or none. A version that
	// is not allowed is an [*Error]. Any other error is a programming error,
	// such as [ErrNotImplemented]. The version is taken as it stands: nobody
	// asks IsAllowedVersion again. r must not be kept: adapters use it for
	// another request.
	DetermineVersion(r Request) (Version, error)

	// Reverse builds the URL of the target with the given reverser, carrying
	// the version of the request in the way of the scheme. r is nil outside
	// of a request. See [Reverse] for the errors.
	Reverse(r Request, reverser Reverser, target Target) (string, error)

	// IsAllowedVersion reports whether the settings of the scheme allow v.
	IsAllowedVersion(v Version) bool

	// Vary names the request headers that DetermineVersion reads, Host not
	// among them, since it is part of every cache key. The adapters send
	// them as the Vary header of each response.
	Vary() []string
}

// The names of the five schemes, as in the specification. They stand in
// configuration and in errors.
const (
	AcceptHeaderVersioning   = "AcceptHeaderVersioning"
	URLPathVersioning        = "URLPathVersioning"
	NamespaceVersioning      = "NamespaceVersioning"
	HostNameVersioning       = "HostNameVersioning"
	QueryParameterVersioning = "QueryParameterVersioning"
)

// Base holds what all schemes share: the settings, the question whether a
// version is allowed, and a reversal that adds nothing. Embed a *Base in a
// scheme of your own and write DetermineVersion. Specification: "Operations".
type Base struct {
	name  string
	rules rules
}

// NewBase returns the base of the scheme with the given name, which stands in
// the errors of the scheme. It fails when an allowed version is listed twice.
func NewBase(name string, settings Settings) (*Base, error) {
	if err := settings.check(); err != nil {
		return nil, fmt.Errorf("verso: %s: %w", name, err)
	}
	return &Base{name, newRules(settings)}, nil
}

// DetermineVersion fails with [ErrNotImplemented] and the text
// "<name>.determine_version() must be implemented.".
func (b *Base) DetermineVersion(Request) (Version, error) {
	return Version{}, notImplementedError{b.name}
}

// Reverse delegates to the reverser with everything unchanged.
func (b *Base) Reverse(r Request, reverser Reverser, target Target) (string, error) {
	return reverser.Reverse(r, target)
}

// IsAllowedVersion reports whether the settings allow v: see
// [Settings.IsAllowedVersion].
func (b *Base) IsAllowedVersion(v Version) bool {
	return b.rules.allows(v)
}

// Vary returns nil: a request header that a scheme of your own reads must be
// named by its own Vary.
func (b *Base) Vary() []string {
	return nil
}

// Settings returns a copy of the settings of the scheme, the defaults filled in.
func (b *Base) Settings() Settings {
	settings := b.rules.Settings
	settings.AllowedVersions = slices.Clone(settings.AllowedVersions)
	return settings
}

// Admit returns the version with the given text and whether the settings
// allow it, without an allocation for an allowed version of the list.
func (b *Base) Admit(text string) (Version, bool) {
	if v, ok := b.rules.known[text]; ok {
		return v, true
	}
	if len(b.rules.AllowedVersions) == 0 {
		return V(text), true
	}
	return Version{}, false
}

// base returns b: that of a scheme that embeds it.
func (b *Base) base() *Base {
	return b
}

// fallBack returns the default version, refused by the given refusal when it
// is none and a request without a version is not allowed.
func (b *Base) fallBack(refusal *refusal) (Version, error) {
	if !b.rules.allows(b.rules.DefaultVersion) {
		return Version{}, refusal.of(b.name, Version{})
	}
	return b.rules.DefaultVersion, nil
}

// decide returns the version with the given text, or the given refusal.
func (b *Base) decide(text string, refusal *refusal) (Version, error) {
	v, ok := b.Admit(text)
	if !ok {
		return Version{}, refusal.of(b.name, V(text))
	}
	return v, nil
}

// Must returns scheme, or panics with err. It is for schemes whose settings
// stand in the source.
func Must[S Scheme](scheme S, err error) S {
	if err != nil {
		panic(err)
	}
	return scheme
}
