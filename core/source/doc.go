// Package source is for authors of sources: a source reads the API version of a request, and
// writes it into links.
//
// # The sources of Verso
//
// Package verso has the sources for its users: PathParam, Header, First and more.
//
// # Your own source
//
//   - A [Source] reads a [Request], given the [ServedVersions], and returns a [Reading]. It
//     writes the version of a link into a [Written].
//   - Its [Description] has the [Place] in the URL, the [Rejection] of versions that are not
//     served, and each [Finding] about the versions that it cannot carry.
//
// [docs/sources.md] shows how to write one; package conformance tests it.
//
// [docs/sources.md]: https://github.com/goverso/verso/blob/main/docs/sources.md#your-own-source
package source
