// Package catalogue models the versions of an API over time: which of them are
// released, deprecated or ended at an instant, and the header field lines that
// announce it. It deals with strings, instants and field lines only; its callers
// handle requests and responses.
//
// A [Config] lists the versions, the oldest first, with their dates. [New]
// checks it and computes everything in advance. Its errors depend on the
// configuration alone, never on the clock, so a program that starts today also
// starts on any other day. A problem that depends on the time is a [Warning].
//
//	versions, err := catalogue.New(catalogue.Config{
//		Versions: []catalogue.Entry{
//			{Version: "v1", Deprecated: march, Sunset: december, Successor: "v2"},
//			{Version: "v2"},
//		},
//		AfterSunset: catalogue.Gone,
//		Report:      true,
//	})
//
// A request reads the clock once. [Catalogue.At] turns that instant into a
// [Moment], and [Table.Decide] returns how a request for a version is answered
// then: it is served, perhaps by another version, or it is rejected. All field
// lines are precomputed; callers must not modify them. None of this allocates.
//
//	moment := versions.At(time.Now())
//	decision := versions.Table().Decide(moment, index)
//
// A route that only some versions have, or that adds dates or links, needs a
// separate [Table]: see [Catalogue.Route].
//
// The fields are Deprecation (RFC 9745), Sunset (RFC 8594) and Link (RFC 8288),
// the lists Api-Supported-Versions and Api-Deprecated-Versions, and a field with
// the served version, whose name the configuration chooses.
package catalogue
