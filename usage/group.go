package usage

// group is what a client did.
type group string

const (
	groupOnly   group = "only"
	groupBoth   group = "both"
	groupQuiet  group = "quiet"
	groupPinned group = "pinned"
	groupTold   group = "told"
	groupMoved  group = "moved"

	groupAccepted group = "accepted" // it may break
)

// groupBreaks asks for the clients that the end of the version breaks.
const groupBreaks group = "breaks"

var groups = []group{groupOnly, groupBoth, groupQuiet, groupPinned, groupAccepted, groupTold, groupMoved}

// has reports whether a client of a group is asked for.
func (g group) has(other group) bool { return g == other || g == groupBreaks && other.Breaks() }

// Breaks reports whether the end of the version breaks the client.
func (g group) Breaks() bool {
	return g == groupOnly || g == groupBoth || g == groupQuiet || g == groupPinned
}
