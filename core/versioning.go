package verso

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/goverso/verso/core/mediatype"
	"github.com/goverso/verso/core/route"
)

// VersioningConfig is what an adapter's users configure, in its neutral part.
type VersioningConfig struct {
	Scheme   Scheme     // required
	Produces []string   // the media types that the service produces, the preferred one first; empty: any
	Links    LinkConfig // what URLs begin with
	Strict   Strictness // what is refused beyond the specification; the zero value: nothing

	Translator          Translator // translates refusals; nil: they are in English
	HideAllowedVersions bool       // leaves the allowed versions out of refusals

	// Routes returns the table that URLs are built from. It is given the
	// adapter's own request, nil outside of one. nil: there are no routes.
	Routes func(Request) *route.Table
}

// Versioning is what all adapters do with a request, once the framework's own
// is presented as a [Request]: determine the version, describe a refusal, and
// build URLs. It is made once, when the middleware is built, does not change, and is safe for
// concurrent use.
type Versioning struct {
	config     VersioningConfig
	strict     *strictness // nil: there is nothing to refuse
	vary       []string
	negotiator *mediatype.Negotiator
	known      map[Version]*Determined
	allowed    []string // named in problem details
}

// Determined is what an adapter keeps of a request for the handlers: the
// version, and what determined it.
type Determined struct {
	Version    Version
	Versioning *Versioning
}

// NewVersioning returns the versioning with the given configuration. It fails
// without a scheme, on text in Produces that is not a media type, on links
// that begin with no origin, and on a base domain in Strict that is no domain
// or an empty version that Strict refuses although the settings have it.
//
// It logs a warning, with the default logger of log/slog, for a version of the
// settings that looks like one before it: v1 and V1, v1 and vl, or a Greek nu
// for the v. They are two versions all the same.
func NewVersioning(config VersioningConfig) (*Versioning, error) {
	if config.Scheme == nil {
		return nil, errors.New("verso: no scheme: make one, for example with verso.NewURLPath")
	}
	negotiator, err := mediatype.NewNegotiator(config.Produces...)
	if err != nil {
		return nil, fmt.Errorf("verso: what the service produces: %w", err)
	}
	if err := config.Links.Validate(); err != nil {
		return nil, fmt.Errorf("verso: links: %w", err)
	}
	config.Links.TrustedHosts = slices.Clone(config.Links.TrustedHosts) // the caller's may change
	strict, err := config.Strict.prepare(config.Scheme)
	if err != nil {
		return nil, fmt.Errorf("verso: strictness: %w", err)
	}
	v := &Versioning{
		config:     config,
		strict:     strict,
		vary:       config.Scheme.Vary(),
		negotiator: negotiator,
		known:      make(map[Version]*Determined),
	}
	v.know(Version{})
	if based, ok := config.Scheme.(interface{ Settings() Settings }); ok { // those that embed a Base
		settings := based.Settings()
		warnOfLookalikes(allowedVersions(settings))
		v.know(settings.DefaultVersion)
		for _, text := range settings.AllowedVersions {
			v.know(V(text))
		}
		if !config.HideAllowedVersions {
			v.allowed = allowedVersions(settings)
		}
	}
	return v, nil
}

func (v *Versioning) know(version Version) {
	v.known[version] = &Determined{version, v}
}

// Table returns the table of routes that URLs are built from, given the
// adapter's own request: that of VersioningConfig.Routes, or an empty one.
func (v *Versioning) Table(r Request) *route.Table {
	if v.config.Routes == nil {
		return emptyTable
	}
	return v.config.Routes(r)
}

var emptyTable = route.NewTable()

// AcceptedMediaType negotiates for [Request.AcceptedMediaType], given the lines
// of the Accept header.
func (v *Versioning) AcceptedMediaType(accept []string) (mediaType string, ok bool) {
	accepted, ok := v.negotiator.Negotiate(accept)
	return accepted.MediaType, ok
}

// Determine asks the scheme for the version of a request that matched a route,
// and adds the request headers that the scheme reads to the Vary field of the
// response. The error is that of [Scheme.DetermineVersion], but that a refusal
// whose status is none of 400 to 599 is a programming error; or the [*Error] of
// a refusal by [Strictness], for which alone the HTTP request is read: without
// one it may be nil.
//
// For a version that the settings name it returns the same pointer each time
// and allocates nothing.
func (v *Versioning) Determine(r Request, request *http.Request, response http.Header) (*Determined, error) {
	version, err := v.config.Scheme.DetermineVersion(r)
	AddVary(response, v.vary...)
	if err != nil {
		err = checkRefusal(err)
	}
	if v.strict != nil {
		err = v.strict.check(r, request, version, err)
	}
	if err != nil {
		return nil, err
	}
	if determined, ok := v.known[version]; ok {
		return determined, nil
	}
	return &Determined{version, v}, nil
}

// checkRefusal returns the error of a scheme or, in place of a refusal that
// would not look like one to the client, a programming error.
func checkRefusal(err error) error {
	refusal, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return err
	case refusal == nil:
		return errors.New("verso: the scheme returned a nil *verso.Error as error: return nil")
	case refusal.Status < 400 || refusal.Status > 599:
		return fmt.Errorf("verso: the scheme refused with status %d: use one of 400 to 599", refusal.Status)
	}
	return err
}

// Reverse builds the URL of the target: see the function [Reverse]. Both forms
// of the request are nil outside of one.
//
// It fails with [ErrNoReverseMatch] when no route fits the target, with
// [ErrMixedArguments], with another error when the target has an Extra, when
// OriginFunc returns no origin, and when the URL of another version would have
// a host that is not trusted.
func (v *Versioning) Reverse(r Request, request *http.Request, target Target) (string, error) {
	reverser := TableReverser{v.Table(r), &v.config.Links, request}
	built, err := Reverse(v.config.Scheme, r, &reverser, target)
	if err != nil {
		return "", err
	}
	if len(v.config.Links.TrustedHosts) > 0 { // the scheme may have changed the host
		if start, end, absolute := hostIn(built); absolute && !v.config.Links.trusts(built[start:end]) {
			return "", fmt.Errorf("verso: host %q of the URL in version %q is not among the trusted hosts: add it",
				built[start:end], target.Version)
		}
	}
	return built, nil
}
