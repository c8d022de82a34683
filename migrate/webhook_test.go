package migrate_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/migrate"
)

type (
	hookStay struct {
		ID    string     `json:"id"`
		Guest string     `json:"guest_name"`
		Extra []hookStay `json:"extra,omitempty"` // a type in itself
	}
	// hookEnvelope is the payload of Standard Webhooks.
	hookEnvelope[T any] struct {
		Type string `json:"type"`
		Data T      `json:"data"`
	}
	hookVIP struct { // embeds
		hookStay
		Level int `json:"level"`
	}
	hookRoom struct { // was another object, of another media type
		Number int `json:"number"`
	}
	hookOldRoom struct {
		Label string `json:"label"`
	}
	hookSource interface{ hookSource() } // a union
	hookCard   struct {
		Kind  string `json:"kind"`
		Last4 string `json:"last4"`
	}
	hookBank struct {
		Kind string `json:"kind"`
		IBAN string `json:"iban"`
	}
	hookPaid struct {
		From hookSource `json:"from"`
	}
	hookAny struct {
		Type string `json:"type"`
		Data any    `json:"data"`
	}
	hookFailing struct {
		Code string `json:"code"`
	}
)

func (hookCard) hookSource() {}
func (hookBank) hookSource() {}

// hookAPI has v1 to v3, v4 that is not released, and v5, a preview. v1 is deprecated on
// 2026-01-01, in a brownout on 2026-05-01, and ends on 2026-06-01.
func hookAPI(after catalogue.Action, now *time.Time) *verso.Versioning {
	brownout := []catalogue.Brownout{{From: catalogue.MustDate("2026-05-01"), Until: catalogue.MustDate("2026-05-02")}}
	versions := verso.Must(catalogue.New(catalogue.Config{AfterSunset: after, ServedHeader: "Api-Version", Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: catalogue.MustDate("2026-01-01"), Sunset: catalogue.MustDate("2026-06-01"), Successor: "v3", Brownouts: brownout},
		{Version: "v2"}, {Version: "v3"}, {Version: "v4", Released: catalogue.MustDate("2027-01-01")}, {Version: "v5", Preview: true},
	}}))
	return verso.MustNew(verso.Header("Api-Version"), verso.Config{Catalogue: versions, Clock: func() time.Time { return *now }})
}

func hookHistory(api *verso.Versioning) *migrate.History {
	return verso.Must(migrate.New(api,
		migrate.OneOf[hookSource]("kind", migrate.Variant[hookCard]("card"), migrate.Variant[hookBank]("bank")),
		migrate.Release("v5", migrate.Changed("A guest has no extras.", migrate.For[hookStay](migrate.Removed("party", 1)))),
		migrate.Release("v4"),
		migrate.Release("v3",
			migrate.Changed("A card has its last digits.", migrate.For[hookCard](migrate.Renamed("digits", "last4"))),
			migrate.Changed("A bank is new.", migrate.For[hookSource](migrate.NewVariant("bank", nil))),
			migrate.Changed("A code is a text.", migrate.For[hookFailing](migrate.Mapped("code",
				func(int) (string, error) { return "", nil }, func(string) (int, error) { return 0, errors.New("it is no number") })))),
		migrate.Release("v2",
			migrate.Changed("A guest is a guest_name.", migrate.For[hookStay](migrate.Renamed("guest", "guest_name"))),
			migrate.Changed("A VIP has a level.", migrate.For[hookVIP](migrate.Added("level", 1))),
			migrate.Changed("A room has a number.", migrate.For[hookRoom](
				migrate.Reshaped(nil, func(r hookRoom) (hookOldRoom, error) { return hookOldRoom{strings.Repeat("I", r.Number)}, nil }, "application/vnd.room+json")))),
		migrate.Release("v1")))
}

// marshal returns a function that declares and marshals an event.
func marshal[T any](event T, options ...any) func(*migrate.History, verso.Version) (migrate.Message, error) {
	return func(h *migrate.History, v verso.Version) (migrate.Message, error) {
		w := migrate.Sends[T](h, "e", options...)
		m, err := w.Marshal(v, event)
		if in := w.In(v); err == nil && in != nil || in != nil && in.Error() != err.Error() {
			return m, errors.Join(errors.New("In and Marshal differ"), in)
		}
		return m, err
	}
}

func TestWebhooks(t *testing.T) {
	stay := hookStay{ID: "b", Guest: "Ann"}
	since, removed := verso.Since("v2"), verso.RemovedIn("v3")
	const gone, forward, serve = catalogue.Gone, catalogue.FallForward, catalogue.Serve
	const before, brownout, ended = "2026-03-01", "2026-05-01", "2026-07-01"
	const newest, v1, v2 = `{"id":"b","guest_name":"Ann"}`, `{"id":"b","guest":"Ann","party":1}`, `{"id":"b","guest_name":"Ann","party":1}`
	for name, test := range map[string]struct {
		event   func(*migrate.History, verso.Version) (migrate.Message, error)
		after   catalogue.Action
		now     string
		stored  string
		version string // of the message, "": that is stored
		want    string // the body
		err     error
	}{
		"newest":              {marshal(stay), gone, before, "v5", "", newest, nil},
		"second form":         {marshal(stay), gone, before, "v2", "", v2, nil},
		"oldest form":         {marshal(stay), gone, before, "v1", "", v1, nil},
		"pointer":             {marshal(&stay), gone, before, "v1", "", v1, nil},
		"nil pointer":         {marshal((*hookStay)(nil)), gone, before, "v1", "", "null", nil},
		"envelope":            {marshal(hookEnvelope[hookStay]{"e", stay}), gone, before, "v1", "", `{"type":"e","data":` + v1 + `}`, nil},
		"envelope, newest":    {marshal(hookEnvelope[hookStay]{"e", stay}), gone, before, "v5", "", `{"type":"e","data":` + newest + `}`, nil},
		"envelope in another": {marshal(hookEnvelope[hookEnvelope[hookStay]]{"e", hookEnvelope[hookStay]{"f", stay}}), gone, before, "v1", "", `{"type":"e","data":{"type":"f","data":` + v1 + `}}`, nil},
		"batch":               {marshal([]hookStay{stay, stay}), gone, before, "v1", "", `[` + v1 + `,` + v1 + `]`, nil},
		"empty batch":         {marshal([]hookStay{}), gone, before, "v1", "", `[]`, nil},
		"map":                 {marshal(map[string]hookStay{"y": stay, "x": stay}), gone, before, "v1", "", `{"x":` + v1 + `,"y":` + v1 + `}`, nil},
		"a type in itself":    {marshal(hookStay{ID: "c", Guest: "Bo", Extra: []hookStay{stay}}), gone, before, "v1", "", `{"id":"c","guest":"Bo","extra":[` + v1 + `],"party":1}`, nil},
		"embedded":            {marshal(hookVIP{stay, 2}), gone, before, "v1", "", v1, nil},
		"embedded, second":    {marshal(hookVIP{stay, 2}), gone, before, "v2", "", `{"id":"b","guest_name":"Ann","level":2,"party":1}`, nil},
		"reshaped":            {marshal(hookRoom{2}), gone, before, "v1", "", `{"label":"II"}`, nil},
		"reshaped, newest":    {marshal(hookRoom{2}), gone, before, "v2", "", `{"number":2}`, nil},
		"variant":             {marshal(hookPaid{hookCard{"card", "42"}}), gone, before, "v1", "", `{"from":{"kind":"card","digits":"42"}}`, nil},
		"new variant":         {marshal(hookPaid{hookBank{"bank", "DE"}}), gone, before, "v2", "", `{"from":null}`, nil},
		"new variant, newest": {marshal(hookPaid{hookBank{"bank", "DE"}}), gone, before, "v3", "", `{"from":{"kind":"bank","iban":"DE"}}`, nil},
		"union as the body":   {marshal[hookSource](hookCard{"card", "42"}), gone, before, "v2", "", `{"kind":"card","digits":"42"}`, nil},
		"union in a batch":    {marshal([]hookSource{hookCard{"card", "42"}}), gone, before, "v2", "", `[{"kind":"card","digits":"42"}]`, nil},
		"open member":         {marshal(hookAny{"e", stay}, migrate.Open[hookAny]("data")), gone, before, "v1", "", `{"type":"e","data":` + newest + `}`, nil},

		"before since":                     {marshal(stay, since), gone, before, "v1", "", "", migrate.ErrNoSuchEvent},
		"in since":                         {marshal(stay, since), gone, before, "v2", "", v2, nil},
		"after since":                      {marshal(stay, since), gone, before, "v5", "", newest, nil},
		"before removed":                   {marshal(stay, removed), gone, before, "v2", "", v2, nil},
		"in removed":                       {marshal(stay, removed), gone, before, "v3", "", "", migrate.ErrNoSuchEvent},
		"after removed":                    {marshal(stay, removed), gone, before, "v5", "", "", migrate.ErrNoSuchEvent},
		"in both":                          {marshal(stay, since, removed), gone, before, "v2", "", v2, nil},
		"before both":                      {marshal(stay, since, removed), gone, before, "v1", "", "", migrate.ErrNoSuchEvent},
		"not released":                     {marshal(stay), gone, before, "v4", "", "", verso.ErrUnknownVersion},
		"not released, without it":         {marshal(stay, removed), gone, before, "v4", "", "", verso.ErrUnknownVersion},
		"released since":                   {marshal(stay), gone, "2027-01-01", "v4", "", v2, nil},
		"unknown":                          {marshal(stay), gone, before, "v9", "", "", verso.ErrUnknownVersion},
		"unknown, without it":              {marshal(stay, since), gone, before, "v0", "", "", verso.ErrUnknownVersion},
		"none":                             {marshal(stay), gone, before, "", "", "", verso.ErrUnknownVersion},
		"brownout":                         {marshal(stay), gone, brownout, "v1", "", v1, nil},
		"brownout, without it":             {marshal(stay, since), gone, brownout, "v1", "", "", migrate.ErrNoSuchEvent},
		"ended":                            {marshal(stay), gone, ended, "v1", "", "", verso.ErrGone},
		"ended, without it":                {marshal(stay, since), gone, ended, "v1", "", "", verso.ErrGone},
		"ended, another version":           {marshal(stay), gone, ended, "v2", "", v2, nil},
		"falls forward":                    {marshal(stay), forward, ended, "v1", "v2", v2, nil},
		"falls forward, envelope":          {marshal(hookEnvelope[hookStay]{"e", stay}), forward, ended, "v1", "v2", `{"type":"e","data":` + v2 + `}`, nil},
		"falls forward, which lacked it":   {marshal(stay, since), forward, ended, "v1", "v2", v2, nil},
		"falls forward to one without it":  {marshal(stay, verso.RemovedIn("v2")), forward, ended, "v1", "", "", migrate.ErrNoSuchEvent},
		"does not fall before the end":     {marshal(stay), forward, before, "v1", "", v1, nil},
		"is served after the end":          {marshal(stay), serve, ended, "v1", "", v1, nil},
		"is served after the end, without": {marshal(stay, since), serve, ended, "v1", "", "", migrate.ErrNoSuchEvent},
	} {
		t.Run(name, func(t *testing.T) {
			now := catalogue.MustDate(test.now).Add(time.Hour)
			var stored verso.Version
			if test.stored != "" {
				stored = verso.V(test.stored)
			}
			m, err := test.event(hookHistory(hookAPI(test.after, &now)), stored)
			if test.err != nil {
				assert.ErrorIs(t, err, test.err)
				assert.ErrorContains(t, err, `webhook "e"`)
				assert.Equal(t, test.err == migrate.ErrNoSuchEvent, errors.Is(err, migrate.ErrNoSuchEvent), "nothing is sent only then") //nolint:errorlint // of the table
				assert.Empty(t, m)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, string(m.Body))
			if test.version == "" {
				test.version = test.stored
			}
			assert.Equal(t, test.version, m.Version.String())
			assert.Equal(t, test.version, m.Header().Get("Api-Version"))
			assert.Empty(t, m.Header().Get("Deprecation")+m.Header().Get("Sunset"))
		})
	}
}

func TestWebhookGone(t *testing.T) {
	now := catalogue.MustDate("2026-07-01")
	w := migrate.Sends[hookStay](hookHistory(hookAPI(catalogue.Gone, &now)), "booking.created")
	err := w.In(verso.V("v1"))
	var gone *verso.Error
	require.ErrorAs(t, err, &gone)
	assert.Equal(t, []string{"2026-06-01T00:00:00Z", "v3"}, []string{gone.Sunset, gone.Successor})
	assert.EqualError(t, err, `migrate: webhook "booking.created" in v1: This API version has ended.`)
	assert.EqualError(t, w.In(verso.V("v9")), `migrate: webhook "booking.created": unknown version: "v9": store the version of the request that created the receiver`)
	assert.Error(t, migrate.Webhook[hookStay]{}.In(verso.V("v1")))
}

func TestWebhookHeader(t *testing.T) {
	now := catalogue.MustDate("2026-03-01")
	h := hookHistory(hookAPI(catalogue.Gone, &now))
	room := migrate.Sends[hookRoom](h, "room")
	for version, want := range map[string]string{"v1": "application/vnd.room+json", "v2": "application/json"} {
		m, err := room.Marshal(verso.V(version), hookRoom{1})
		require.NoError(t, err)
		assert.Equal(t, want, m.Header().Get("Content-Type"))
		m.Header().Set("Api-Version", "other")
		assert.Equal(t, version, m.Header().Get("Api-Version"), "each call returns a copy")
	}
	m, err := migrate.Sends[hookStay](verso.Must(migrate.New(apiOf("v1"), migrate.Release("v1"))), "e").Marshal(verso.V("v1"), hookStay{})
	require.NoError(t, err)
	assert.Len(t, m.Header(), 1, "the catalogue has no field for the version")
}

func TestWebhookErrors(t *testing.T) {
	now := catalogue.MustDate("2026-03-01")
	h := hookHistory(hookAPI(catalogue.Gone, &now))
	_, err := migrate.Sends[hookFailing](h, "failing").Marshal(verso.V("v1"), hookFailing{"x"})
	assert.ErrorContains(t, err, `migrate: webhook "failing" in v1: `)
	assert.ErrorContains(t, err, "it is no number")
	_, err = migrate.Sends[chan int](h, "channel").Marshal(verso.V("v1"), nil)
	assert.ErrorContains(t, err, "chan int")
	assert.NotErrorIs(t, err, migrate.ErrNoSuchEvent)
}

// Two histories may have the same names, and each knows its own.
func TestWebhooksOfTwoHistories(t *testing.T) {
	now := catalogue.MustDate("2026-03-01")
	first := hookHistory(hookAPI(catalogue.Gone, &now))
	second := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2"), migrate.Release("v1")))
	a, b := migrate.Sends[hookStay](first, "e"), migrate.Sends[hookStay](second, "e", verso.Since("v2"))
	m, err := a.Marshal(verso.V("v1"), hookStay{ID: "b"})
	require.NoError(t, err)
	assert.Contains(t, string(m.Body), `"guest"`)
	assert.ErrorIs(t, b.In(verso.V("v1")), migrate.ErrNoSuchEvent)
	assert.ErrorIs(t, b.In(verso.V("v3")), verso.ErrUnknownVersion)
	assert.NoError(t, a.In(verso.V("v3")))
}

func TestWebhookMistakes(t *testing.T) {
	now := catalogue.MustDate("2026-03-01")
	for name, test := range map[string]struct {
		declare func(*migrate.History)
		want    []string
	}{
		"twice":             {func(h *migrate.History) { migrate.Sends[hookStay](h, "a"); migrate.Sends[hookRoom](h, "a") }, []string{"declared twice"}},
		"no history":        {func(*migrate.History) { migrate.Sends[hookStay](nil, "a") }, []string{"the history is nil: give it what New returns"}},
		"no name":           {func(h *migrate.History) { migrate.Sends[hookStay](h, " ") }, []string{"no name"}},
		"another version":   {func(h *migrate.History) { migrate.Sends[hookStay](h, "a", verso.Since("v9")) }, []string{`"v9" is not a listed version`}},
		"no version":        {func(h *migrate.History) { migrate.Sends[hookStay](h, "a", verso.Since("v2"), verso.RemovedIn("v2")) }, []string{"no version"}},
		"another option":    {func(h *migrate.History) { migrate.Sends[hookStay](h, "a", verso.Neutral()) }, []string{"remove the rest"}},
		"a body of a route": {func(h *migrate.History) { migrate.Sends[hookStay](h, "a", migrate.Returns[hookStay]()) }, []string{"use only Open"}},
		"Replaces":          {func(h *migrate.History) { migrate.Sends[hookStay](h, "a", migrate.Replaces()) }, []string{"use only Open"}},
		"no option":         {func(h *migrate.History) { migrate.Sends[hookStay](h, "a", "v2") }, []string{"string is not an option"}},
		"no such member":    {func(h *migrate.History) { migrate.Sends[hookStay](h, "a", migrate.Open[hookStay]("nosuch")) }, []string{`hookStay has no such member`}},
		"a member of any":   {func(h *migrate.History) { migrate.Sends[hookAny](h, "a") }, []string{`member "data" of hookAny is any`}},
		"any":               {func(h *migrate.History) { migrate.Sends[any](h, "a") }, []string{"the type of a body is any"}},
		"raw JSON":          {func(h *migrate.History) { migrate.Sends[json.RawMessage](h, "a") }, []string{"RawMessage"}},
		"all at once": {func(h *migrate.History) { migrate.Sends[hookAny](h, "", verso.Since("v9"), verso.SunsetAt(now), 7) },
			[]string{"int is not", "remove the rest", `"v9"`, "no name", "hookAny"}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, ok := recover().(error)
				require.True(t, ok)
				for _, want := range test.want {
					assert.ErrorContains(t, err, want)
				}
			}()
			test.declare(hookHistory(hookAPI(catalogue.Gone, &now)))
		})
	}
}

func TestWebhookChangelog(t *testing.T) {
	now := catalogue.MustDate("2026-03-01")
	h := hookHistory(hookAPI(catalogue.Gone, &now))
	migrate.Sends[hookEnvelope[hookStay]](h, "booking.created")
	migrate.Sends[hookStay](h, "booking.paid", verso.Since("v2"), verso.RemovedIn("v3"))
	var text, page strings.Builder
	require.NoError(t, h.Changelog(nil).Markdown(&text))
	require.NoError(t, h.Changelog(nil).HTML(&page))
	_, v2, _ := strings.Cut(text.String(), "## v2")
	assert.Contains(t, v2, "- A guest is a guest_name. **Breaking.**\n  - `hookStay`: \"guest\" is now named \"guest_name\".\n  - In the webhooks `booking.created`, `booking.paid`.\n")
	assert.Contains(t, v2, "- The webhook booking.paid is new.\n")
	assert.Contains(t, text.String(), "- The webhook booking.paid is removed. **Breaking.**\n")
	assert.Equal(t, 2, strings.Count(page.String(), "<code>booking.created</code>"), "in the changes of v5 and v2")
	assert.Contains(t, page.String(), "The webhook booking.paid is new.")
}

// A queue is read by processes that are older or newer than the one which wrote.
func TestWebhookInQueue(t *testing.T) {
	historyOf := func(versions ...string) *migrate.History {
		var releases []migrate.Revision
		for _, v := range versions {
			if v == "v2" {
				releases = append(releases, migrate.Release(v, migrate.Changed("c", migrate.For[hookStay](migrate.Renamed("guest", "guest_name")), migrate.For[hookVIP](migrate.Added("level", 1)))))
			} else {
				releases = append(releases, migrate.Release(v))
			}
		}
		return verso.Must(migrate.New(apiOf(versions...), releases...))
	}
	before, after := historyOf("v2", "v1"), historyOf("v3", "v2", "v1")
	event := hookVIP{hookStay{ID: "b", Guest: "Ann"}, 2}
	m, err := migrate.Sends[hookVIP](after, "e").Marshal(verso.V("v3"), event)
	require.NoError(t, err)
	_, err = migrate.Lift[hookVIP](before, m.Version, m.Body)
	assert.ErrorContains(t, err, `the history does not have version "v3"`, "the message goes back to the queue")

	m, err = migrate.Sends[hookVIP](before, "e").Marshal(verso.V("v1"), event)
	require.NoError(t, err)
	got, err := migrate.Lift[hookVIP](after, m.Version, m.Body)
	require.NoError(t, err)
	event.Level = 1 // which v1 does not have: the default of a POST
	assert.Equal(t, event, got)
}

// Clio and Stripe send an event that is younger than the version of its receiver in the form in
// which it was first published.
func TestWebhookInFirstForm(t *testing.T) {
	now := catalogue.MustDate("2026-03-01")
	paid := migrate.Sends[hookStay](hookHistory(hookAPI(catalogue.Gone, &now)), "paid", verso.Since("v2"))
	m, err := paid.Marshal(verso.V("v1"), hookStay{ID: "b"})
	if errors.Is(err, migrate.ErrNoSuchEvent) {
		m, err = paid.Marshal(verso.V("v2"), hookStay{ID: "b"})
	}
	require.NoError(t, err)
	assert.Equal(t, "v2", m.Version.String())
}

func TestWebhookConcurrently(t *testing.T) {
	now := catalogue.MustDate("2026-03-01")
	h := hookHistory(hookAPI(catalogue.Gone, &now))
	created := migrate.Sends[hookStay](h, "created")
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			migrate.Sends[hookStay](h, strings.Repeat("x", i+1))
			for range 50 {
				_, err := created.Marshal(verso.V("v1"), hookStay{})
				assert.NoError(t, err)
				_ = h.Changelog(nil)
			}
		})
	}
	wait.Wait()
}

// BenchmarkWebhook compares Marshal with what it is made of, for a body of 1 KB.
func BenchmarkWebhook(b *testing.B) {
	now := catalogue.MustDate("2026-03-01")
	h := hookHistory(hookAPI(catalogue.Gone, &now))
	created := migrate.Sends[[]hookStay](h, "created")
	event := make([]hookStay, 18)
	for i := range event {
		event[i] = hookStay{ID: "booking-0000000001", Guest: "Ann"}
	}
	b.Run("Lower", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = h.Lower(verso.V("v1"), event)
		}
	})
	b.Run("Marshal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = created.Marshal(verso.V("v1"), event)
		}
	})
}
