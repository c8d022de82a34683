// Package catalogue knows the versions of an API over time: which of them is
// released, deprecated or ended at an instant, and the header field lines that
// say so. It knows text, instants and lines only; requests and responses are
// its callers'.
//
// A [Config] lists the versions, the oldest first, with their dates. [New]
// checks it and computes everything: its errors depend on the configuration
// alone, never on the clock, so that a program that started once starts on every
// other day. What is wrong only at some instant is a [Warning].
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
// [Moment], and [Table.Decide] says what a request for a version gets then: it is
// served, by another version perhaps, or it is rejected. All fields are ready
// lines, which callers must not modify. None of this allocates.
//
//	moment := versions.At(time.Now())
//	decision := versions.Table().Decide(moment, index)
//
// A route that only some versions have, or that has dates of its own, has a
// [Table] of its own: see [Catalogue.Route].
//
// The fields are Deprecation (RFC 9745), Sunset (RFC 8594) and Link (RFC 8288),
// the lists Api-Supported-Versions and Api-Deprecated-Versions, and a field of
// the caller's choice with the version that is served.
package catalogue
