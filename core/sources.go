package verso

import (
	"github.com/goverso/verso/core/internal/sources"
	"github.com/goverso/verso/core/source"
)

// PathParam returns the source that reads a parameter of the matched route's path, for
// example in the route /{version}/users. name is the name alone, "version", whatever the
// syntax of the router. A version not served is rejected with status 404, a
// request to a route without the parameter, if there is no default, with status 400. In a
// link, a parameter of that name that the caller gives wins. Specification:
// "URLPathVersioning".
func PathParam(name string) source.Source { return sources.PathParam(name) }

// PathPrefix returns the source that reads a literal segment of the matched route's
// pattern. With the template "/api/{version}", the route /api/v2/lists has the version
// v2, and /api/lists has the default version. The template begins with a slash and has
// {version} in its last segment, which may have text around it: "/v{version}". A
// segment that is not a listed version is part of the path, unless the template has
// text around {version} and the segment has a digit in its place: such a version is not
// served, and rejected with status 404. A path parameter in that place takes a listed
// version, too: the route has the default version, and Explain warns of it. The versions
// must be listed.
//
// A link has the prefix of its version. A link in the default version has it if the
// request had a prefix. docs/start.md shows the ways to register routes.
func PathPrefix(template string) source.Source { return sources.PathPrefix(template) }

// Header returns the source that reads a header of the API's own:
//
//	Api-Version: v2
//
// Several lines, and elements separated by commas, are one list (RFC 9110, section 5.3).
// Empty elements and white space are ignored. A request with different elements is
// rejected with [source.ContradictingVersions], one with more than 8 KiB with [source.InvalidVersion];
// a header without an element is the empty version. Rejected with status 400 are a
// version not served, and a request without a version if there is no default.
// Links do not carry the version.
func Header(name string) source.Source { return sources.Header(name) }

// AcceptParam returns the source that reads a parameter of the media type that the
// client accepts among those of [Config.Produces]:
//
//	Accept: application/json; version=v2
//
// Case is ignored in the names of parameters and media types. The value is ISO-8859-1,
// quoted or not. Another media type in the list is not a fallback for one whose version is
// not served, as it is for [MediaType]. Rejected are, with status 406, such a version and a
// request that accepts nothing that the service produces; with status 400, a request
// without a version if there is no default. Links do not carry the version.
// Specification: "AcceptHeaderVersioning".
func AcceptParam(name string) source.Source { return sources.AcceptParam(name) }

// MediaType returns the source that reads the version from a vendor media type in the
// Accept header. The template has {version} once, and may have {resource} before it:
//
//	application/vnd.acme.{version}+json
//	application/vnd.acme.{resource}-{version}+json
//
// The service produces the known versions, the newest first, and then [Config.Produces].
// The Accept header is negotiated among these ([mediatype.Template.Negotiate]): an
// unknown version is not acceptable, a later range may win, and "*/*" gets the default
// version. A request that does not accept any of them is rejected with status 406, one
// without a version if there is no default with status
// 400. A header that names no media type of the template, such as application/json,
// has no version, whether the service produces that type or not. Case is ignored.
// Links do not carry the version. [Result.ContentType] returns the media type of the
// response.
func MediaType(template string) source.Source { return sources.MediaType(template) }

// QueryParam returns the source that reads a query parameter, for example in
// /users?version=v1. Of several values the last one applies, unless
// [Strictness].RefuseContradictions is set. A version not served is rejected with
// status 404, a request without a version if there is no default with status 400. In a
// link the version replaces all values of that name, and the parameters are sorted by
// name. Specification: "QueryParameterVersioning".
func QueryParam(name string) source.Source { return sources.QueryParam(name) }

// HostLabel returns the source that reads the host name. With an empty pattern it reads
// the first of exactly three labels of ASCII letters and digits: v1.example.com. A
// pattern is a regular expression (package regexp) whose group 1 is the version. It
// must match the whole host without the port, whether it is anchored or not:
//
//	^([a-z0-9-]+)\.api\.example\.com$
//
// Hosts ignore case (RFC 9110, section 4.2.3), and so does the version in one, unless the
// pattern begins with (?-i), which may stand alone.
//
// A request to a host that does not match has the default version, unchecked. A version
// not served is rejected with status 404. Links to another version move to its
// host. Specification: "HostNameVersioning", which is case-sensitive.
func HostLabel(pattern string) source.Source { return sources.HostLabel(pattern) }

// Namespace returns the source that reads the namespace of the matched route: the route
// named "v1:user-list" is the route user-list in the namespace v1. Of a nested
// namespace, "api:v1", the version is the outermost served part, and links leave it
// out: "api:user" leads to the route named "api:v1:user". A request to
// a namespace without such a part is rejected with status 404. A route without a
// namespace has the default version, unchecked. Specification: "NamespaceVersioning".
func Namespace() source.Source { return sources.Namespace() }

// First returns a source that asks the given sources in turn. The first that finds a
// version decides, whether the version is served or not, and later sources are not asked.
// If none finds one, the default version applies; without a default the request is
// rejected with status 400, [source.MissingVersion].
//
// A link carries the version where the request had it, and no version if the request
// had none. [Target.Version] goes to the same place, or else to the first source
// whose place is in the URL.
func First(places ...source.Source) source.Source { return sources.First(places...) }

// Agree returns a source that asks all of the given sources. Those that find a version
// must find the same: otherwise the request is rejected with status 400,
// [source.ContradictingVersions]. A version not served is rejected by the first
// source that finds it. Links are as with [First]; if several sources found the
// version, the first whose place is in the URL carries it.
func Agree(places ...source.Source) source.Source { return sources.Agree(places...) }

// Stored returns the source that reads the value which a middleware before the check has
// stored for the request under a key: the version to which the caller is pinned, a text or a
// [source.Version]. See [source.Request.Value] for where each framework stores it. headers are
// those by which the middleware recognizes the caller: responses name them in Vary whenever
// the source was asked. Without headers, responses have "Cache-Control: private".
//
//	verso.First(verso.Header("Api-Version"), verso.Stored("pin", "Authorization"))
//
// A request for which nothing is stored, or an empty text, has no version here. Mistakes of the
// service are logged once, as errors: an unknown version is rejected with status 400,
// [source.InvalidVersion]; a value of another type gets status 500; and a value has no effect if
// it is stored after the check. An ended version gets 410. Neutral routes and CORS
// preflights read nothing.
func Stored(key any, headers ...string) source.Source { return sources.Stored(key, headers...) }

// Nearest returns a source whose clients name versions by their order: by the date on which
// they were written, or by their own release number. Any other text than a version means the
// newest released version before it, previews excepted: "2025-07-14" means 2025-01-01, if the
// next version is 2026-01-01. Handlers, links and observations have the version, not the text.
// A text for an ended version gets the same response as that version.
//
// A text before the first version is rejected. The order decides about a text after the newest
// version: [ByDate], [ByNumberWithinMajor], [ByNumberUpTo], [ByNumberUpToNewest].
// A version must stay in the list, and be released before clients can write its name:
// otherwise a text changes its meaning.
//
// The source must read the version as the client wrote it: [Header], [QueryParam],
// [PathParam], [AcceptParam], [HostLabel], or your own; [First] and [Agree] are around Nearest.
// The catalogue must have a ServedHeader, so that clients learn which version answers.
func Nearest(from source.Source, order Order) source.Source {
	return sources.Nearest(from, order.kept)
}

// Order is the order by which [Nearest] compares the texts of clients with the versions, and
// what a text after the newest version means. The zero Order is a mistake.
type Order struct{ kept sources.Order }

// ByDate is the order of dates: "2025-01-31", or "2025-01" for the first day of a month. A date
// after the newest version means that version up to tomorrow in UTC, by [Config.Clock], since
// it is tomorrow somewhere already. A later one is rejected.
func ByDate() Order { return Order{sources.Dates()} }

// ByNumberWithinMajor is the order of numbers in which a text means versions of its first
// number alone, also after the newest: with the versions 1.2, 2.0 and 10.0, "1.3" means 1.2 and
// "10.5" means 10.0, but "3.1" is rejected. It is for clients whose first number changes when
// the contract breaks.
//
// In each order of numbers a text has one to four numbers: "0.16.1", or "v2" if the versions
// have a "v" too. A missing number is 0.
func ByNumberWithinMajor() Order { return Order{sources.NumbersWithinMajor()} }

// ByNumberUpTo is the order of numbers in which a text after the newest version means that
// version, up to the release of the service, which is included: with the versions 1.2 and 2.0
// in release 3.4, "1.9" means 1.2, "3.1" means 2.0, and "3.5" is rejected. It is for clients that
// are released with the service. A new version has the number of its release or a later one.
// For the form of numbers see [ByNumberWithinMajor].
func ByNumberUpTo(release string) Order { return Order{sources.NumbersUpTo(release)} }

// ByNumberUpToNewest is the order of numbers in which a text after the newest version is
// rejected: with the versions 1.2 and 2.0, "1.9" means 1.2, and "2.1" is rejected. For the form
// of numbers see [ByNumberWithinMajor].
func ByNumberUpToNewest() Order { return Order{sources.NumbersUpToNewest()} }
