package migratetest_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/migratetest"
)

type hookPaid struct {
	ID string `json:"id"`
}

type hookWide struct {
	ID    string `json:"id"`
	Total int    `json:"total"`
}

// hooks returns a history, and what declares more.
func hooks(t *testing.T, declare func(*migrate.History), edits ...migrate.TypeEdits) *migrate.History {
	t.Helper()
	api := verso.MustNew(verso.Header("V"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	var changes []*migrate.Change
	if len(edits) > 0 {
		changes = append(changes, migrate.Changed("It was another type.", edits...))
	}
	history := verso.Must(migrate.New(api, migrate.Release("v3", changes...), migrate.Release("v2"), migrate.Release("v1")))
	declare(history)
	return history
}

// frozenHooks returns what Frozen says of a history.
func frozenHooks(t *testing.T, file string, update bool, h *migrate.History) string {
	t.Helper()
	require.NoError(t, flag.Set("update", strconv.FormatBool(update)))
	defer func() { _ = flag.Set("update", "false") }()
	r := &recorder{TB: t}
	migratetest.Frozen(r, h, file)
	return r.failed
}

func TestFrozenWebhooks(t *testing.T) {
	paid := func(options ...any) func(*migrate.History) {
		return func(h *migrate.History) { migrate.Sends[hookPaid](h, "paid", options...) }
	}
	none := func(*migrate.History) {}
	since, removed := verso.Since("v2"), verso.RemovedIn("v3")
	for name, test := range map[string]struct {
		before, after func(*migrate.History)
		edits         []migrate.TypeEdits
		breaks        string // "": -update writes the difference
		want          []string
		pastes        func(*migrate.History) // the same text as in want
	}{
		"new":                     {none, paid(), nil, "", []string{`v3: the webhook "paid" is new`, `v1: the webhook "paid" is new`}, nil},
		"new in a later version":  {none, paid(since), nil, "", []string{`v2: the webhook "paid" is new`}, nil},
		"new in an older version": {paid(since), paid(), nil, "", []string{`v1: the webhook "paid" is new`}, nil},
		"gone": {paid(), none, nil, "v1", []string{`v1: the webhook "paid" is gone: its receivers get it: migrate.Sends[hookPaid](history, "paid")`},
			paid()},
		"gone from the newest version": {paid(), paid(removed), nil, "", []string{`v3: the webhook "paid" is gone`}, nil},
		"gone from an older version": {paid(), paid(since), nil, "v1", []string{`migrate.Sends[hookPaid](history, "paid")`},
			paid()},
		"gone, of some versions": {paid(since, removed), none, nil, "v2", []string{`migrate.Sends[hookPaid](history, "paid", verso.Since("v2"), verso.RemovedIn("v3"))`},
			func(history *migrate.History) {
				migrate.Sends[hookPaid](history, "paid", verso.Since("v2"), verso.RemovedIn("v3"))
			}},
		"another type": {paid(), func(h *migrate.History) { migrate.Sends[hookWide](h, "paid") }, nil, "v1",
			[]string{`v1: the webhook "paid" was hookPaid and is hookWide: migrate.Sends[hookPaid](history, "paid"), or write the change: migrate.For[hookWide](migrate.Reshaped(nil, func(is hookWide) (was hookPaid, err error) { return was, err }, ""))`},
			paid()},
		"another type, with its change": {paid(), func(h *migrate.History) { migrate.Sends[hookWide](h, "paid") },
			[]migrate.TypeEdits{migrate.For[hookWide](migrate.Reshaped(nil, func(is hookWide) (was hookPaid, err error) { return was, err }, ""))}, "",
			[]string{`v3: the webhook "paid" was hookPaid and is hookWide`}, nil},
		"a list": {paid(), func(h *migrate.History) { migrate.Sends[[]hookPaid](h, "paid") }, nil, "v1",
			[]string{`was hookPaid and is []hookPaid: migrate.Sends[hookPaid](history, "paid")`}, paid()},
		"a text": {func(h *migrate.History) { migrate.Sends[[]int](h, "n") }, func(h *migrate.History) { migrate.Sends[string](h, "n") }, nil, "v1",
			[]string{`migrate.Sends[[]int](history, "n")`}, func(h *migrate.History) { migrate.Sends[[]int](h, "n") }},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "contracts.json")
			require.Empty(t, frozenHooks(t, file, true, hooks(t, test.before)))
			before, err := os.ReadFile(file)
			require.NoError(t, err)
			got := frozenHooks(t, file, false, hooks(t, test.after, test.edits...))
			for _, want := range test.want {
				assert.Contains(t, got, want)
			}
			assert.Equal(t, test.breaks != "", strings.Contains(got, "older clients break"), got)
			assert.Contains(t, got, test.breaks)
			got = frozenHooks(t, file, true, hooks(t, test.after, test.edits...))
			after, err := os.ReadFile(file)
			require.NoError(t, err)
			if test.breaks == "" {
				assert.Empty(t, got)
				assert.Empty(t, frozenHooks(t, file, false, hooks(t, test.after, test.edits...)))
				return
			}
			assert.Equal(t, string(before), string(after), "a break is never written")
			require.NotNil(t, test.pastes)
			assert.Empty(t, frozenHooks(t, file, false, hooks(t, test.pastes)), "what the message says restores the contract")
		})
	}
}

// A service that declares nothing has the file that it had.
func TestFrozenWithoutWebhooks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "contracts.json")
	require.Empty(t, frozenHooks(t, file, true, hooks(t, func(*migrate.History) {})))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "webhooks")
}

// A webhook is no edit: where it is new is not frozen a second time.
func TestFrozenWebhookIsNoEdit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "contracts.json")
	h := hooks(t, func(h *migrate.History) { migrate.Sends[hookPaid](h, "paid", verso.Since("v2")) })
	require.NoError(t, flag.Set("update", "true"))
	migratetest.Frozen(t, h, file, &verso.Explanation{})
	require.NoError(t, flag.Set("update", "false"))
	h = hooks(t, func(h *migrate.History) { migrate.Sends[hookPaid](h, "paid") })
	r := &recorder{TB: t}
	migratetest.Frozen(r, h, file, &verso.Explanation{})
	assert.NotContains(t, r.failed, "declares")
	assert.NotContains(t, r.failed, "older clients break")
}
