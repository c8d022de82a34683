package usage

import (
	"cmp"
	"os"
	"strconv"
	"time"
)

// Snapshot is everything that was counted until a moment. Counts of the same combination
// are added up.
type Snapshot struct {
	Counts    []Count
	Processes []Process // those that have reported in the last day

	// MaxClients is how many clients have a name. 0: [MaxClients].
	MaxClients int

	// Names is how many clients have one.
	Names int

	// Left is what was recorded of earlier days, in their order.
	Left []Left

	since func(version string, c ClientName) int64 // as in ClientTotal

	// judged records all clients of a version that moves, and sets since when its end would break each of them.
	judged func(now time.Time, left Left, clients []*movingClient)
}

// Left is how many clients of a version there were on a day, by what they did: see
// docs/usage.md.
type Left struct {
	Day     string `json:"day"` // "2026-11-21"
	Version string `json:"version,omitempty"`
	Only    int    `json:"only"`
	Both    int    `json:"both"`
	Quiet   int    `json:"quiet"`
	Pinned  int    `json:"pinned,omitempty"`
	Told    int    `json:"told"`
	Moved   int    `json:"moved"`

	Accepted int `json:"accepted,omitempty"` // that may break
}

// Judged is a version on a day, for a store to record.
type Judged struct {
	Left
	Breaks, Safe []ClientName // whose Since differs
}

// Process is a process that counts. A store without a clock of its own leaves Silent and Skew
// zero: LastSeen then shows how long the process is silent.
type Process struct {
	Name     string    `json:"name"`
	LastSeen time.Time `json:"last_seen"`       // when it last reported, by its clock
	Ended    bool      `json:"ended,omitempty"` // it has handed over all that it counted

	// Silent is how long ago the process last reported, by the clock of the store.
	Silent time.Duration `json:"-"`

	// Skew is by how many seconds the clock of the process is ahead of the clock of the
	// store, or behind it if Skew is negative. It is 0 for less than a minute.
	Skew int64 `json:"clock_skew_seconds,omitempty"`

	region string
}

// ProcessName returns a name for this process: the name of its host, and its number
// there.
func ProcessName() string {
	host, _ := os.Hostname()
	return cmp.Or(host, "process") + "/" + strconv.Itoa(os.Getpid())
}
