package usage

// Bounds of a [Table]. Beyond them, requests are counted together.
const (
	MaxClients  = 1000 // clients with a name, of which a request for a listed version was counted
	MaxRejected = 100  // more clients with a name, whose every request was rejected for its version
	// MaxCells are combinations of version, client, method, route, and whether the requests were rejected: 60 routes of
	// each client in two versions. Who calls more is not known to have moved.
	MaxCells   = 120_000
	Days       = 90 // for which a version has counts by day, today included
	RecentDays = 30 // for which each combination has counts by day
	// KeepDays: without a request for longer, a combination is forgotten. A sunset breaks yearly callers.
	KeepDays = 400
)

// Forgotten reports whether a request at one second is forgotten at another, both since 1970: a day later than
// [KeepDays] after its own. A client, a route of it, and a route of all clients begin again with the next request then.
// This depends on the times of requests only, and not on when a store deletes rows. Second 0 is not known.
func Forgotten(last, at int64) bool { return last > 0 && at > 0 && dayOf(at) > dayOf(last)+KeepDays }

// KeptFrom returns the first second whose requests are not forgotten, for the recent time of [Reader].
func KeptFrom(recent int64) int64 { return recent - (KeepDays+1-RecentDays)*secondsPerDay }

// Bounds are how much a [Table] holds. 0 means [MaxClients] and [MaxCells]; less is a mistake. 1,000 combinations
// take about 0.4 MB: a client has one for each version, method and route that it calls.
type Bounds struct {
	Clients int // with a name
	Cells   int // combinations
}
