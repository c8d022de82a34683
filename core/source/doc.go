// Package source has the places where a request can have its API version, and what you need
// to write a source of your own.
//
// # Sources
//
//   - [PathParam] reads a path parameter, [PathPrefix] a prefix of the path, [QueryParam] a
//     query parameter, [HostLabel] a label of the host name.
//
//   - [Header] reads a header, [MediaType] a vendor media type, [AcceptParam] a parameter of
//     the accepted media type.
//
//   - [Namespace] reads the namespace of the matched route.
//
//   - [First] and [Agree] combine several.
//
//     api := verso.MustNew(source.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
//
// # Your own source
//
//   - A [Source] reads a [Request], given the [ServedVersions], and returns a [Reading]. It
//     writes the version of a link into a [Written].
//   - Its [Description] has the [Place] in the URL, the [Rejection] of versions that are not
//     served, and each [Finding] about the versions that it cannot carry.
//   - [ReadInto] and [WriteInto] let a source ask others without a copy.
//
// [docs/sources.md] shows how to write one; package conformance tests it.
//
// [docs/sources.md]: https://github.com/goverso/verso/blob/main/docs/sources.md#your-own-source
package source
