// Package twins compares an adapter of Verso with its framework alone. It draws random
// programs in the vocabulary of a framework, builds each twice, with the framework and
// with Verso, and sends both the same requests: what a handler sees, which middleware
// runs in which order, status, fields and body are the same, but for what Verso
// announces. Where a version is not served, the bare program shows which handler would
// have run: the twin rejects the request in front of it, behind the same middleware. A
// failing program is made as small as possible and printed with its seed.
//
//	func TestTwins(t *testing.T) { twins.Run(t, vocabulary) }
//
// For a router over net/http, [OverHTTP] has the vocabulary. VERSO_TWINS is the number of
// programs of each way, by default at most 280 of all ways, VERSO_TWINS_SEED the first seed, VERSO_TWINS_WAY a single
// way.
package twins
