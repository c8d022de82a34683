package adapter_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
)

// sentAPI has v1 to v3, v4 that is not released, and v5, a preview. v1 is deprecated on
// 2026-01-01, in a brownout on 2026-05-01, and ends on 2026-06-01.
func sentAPI(after catalogue.Action, now *time.Time) *verso.Versioning {
	brownout := []catalogue.Brownout{{From: catalogue.MustDate("2026-05-01"), Until: catalogue.MustDate("2026-05-02")}}
	versions := verso.Must(catalogue.New(catalogue.Config{AfterSunset: after, ServedHeader: "Api-Version", Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: catalogue.MustDate("2026-01-01"), Sunset: catalogue.MustDate("2026-06-01"), Successor: "v3", Brownouts: brownout},
		{Version: "v2"}, {Version: "v3"}, {Version: "v4", Released: catalogue.MustDate("2027-01-01")}, {Version: "v5", Preview: true},
	}}))
	return verso.MustNew(verso.Header("Api-Version"), verso.Config{Catalogue: versions, Clock: func() time.Time { return *now }})
}

func TestSent(t *testing.T) {
	since, removed := verso.Since("v2"), verso.RemovedIn("v2")
	const supported, brownout, ended = "2026-03-01", "2026-05-01", "2026-07-01"
	for name, test := range map[string]struct {
		options []verso.RouteOption
		after   catalogue.Action
		now     string
		stored  string
		want    string // version
		err     error
	}{
		"of all versions":                    {nil, catalogue.Gone, supported, "v1", "v1", nil},
		"before its first version":           {[]verso.RouteOption{since}, catalogue.Gone, supported, "v1", "", verso.ErrNotInVersion},
		"in its first version":               {[]verso.RouteOption{since}, catalogue.Gone, supported, "v2", "v2", nil},
		"after its last version":             {[]verso.RouteOption{removed}, catalogue.Gone, supported, "v2", "", verso.ErrNotInVersion},
		"in its last version":                {[]verso.RouteOption{removed}, catalogue.Gone, supported, "v1", "v1", nil},
		"not released":                       {nil, catalogue.Gone, supported, "v4", "", verso.ErrUnknownVersion},
		"not released, which lacks it":       {[]verso.RouteOption{removed}, catalogue.Gone, supported, "v4", "", verso.ErrUnknownVersion},
		"a preview":                          {nil, catalogue.Gone, supported, "v5", "v5", nil},
		"not in the catalogue":               {nil, catalogue.Gone, supported, "v9", "", verso.ErrUnknownVersion},
		"another case":                       {nil, catalogue.Gone, supported, "V1", "", verso.ErrUnknownVersion},
		"none":                               {nil, catalogue.Gone, supported, "", "", verso.ErrUnknownVersion},
		"a brownout":                         {nil, catalogue.Gone, brownout, "v1", "v1", nil},
		"a brownout of a version without it": {[]verso.RouteOption{since}, catalogue.Gone, brownout, "v1", "", verso.ErrNotInVersion},
		"gone":                               {nil, catalogue.Gone, ended, "v1", "", verso.ErrGone},
		"gone, which lacked it":              {[]verso.RouteOption{since}, catalogue.Gone, ended, "v1", "", verso.ErrGone},
		"falls forward":                      {nil, catalogue.FallForward, ended, "v1", "v2", nil},
		"falls forward, which lacked it":     {[]verso.RouteOption{since}, catalogue.FallForward, ended, "v1", "v2", nil},
		"falls forward to one that lacks it": {[]verso.RouteOption{removed}, catalogue.FallForward, ended, "v1", "", verso.ErrNotInVersion},
		"served after its end":               {nil, catalogue.Serve, ended, "v1", "v1", nil},
		"served after its end, which lacks":  {[]verso.RouteOption{since}, catalogue.Serve, ended, "v1", "", verso.ErrNotInVersion},
	} {
		t.Run(name, func(t *testing.T) {
			now := catalogue.MustDate(test.now).Add(time.Hour)
			sent, err := adapter.NewSent(sentAPI(test.after, &now), test.options...)
			if err != nil {
				t.Fatal(err)
			}
			var stored verso.Version
			if test.stored != "" {
				stored = verso.V(test.stored)
			}
			got, err := sent.Version(stored)
			if got.String() != test.want || !errors.Is(err, test.err) {
				t.Errorf("%q, %v, want %q, %v", got, err, test.want, test.err)
			}
		})
	}
}

func TestSentGone(t *testing.T) {
	now := catalogue.MustDate("2026-07-01")
	sent := verso.Must(adapter.NewSent(sentAPI(catalogue.Gone, &now)))
	_, err := sent.Version(verso.V("v1"))
	var gone *verso.Error
	ok := errors.As(err, &gone)
	if !ok {
		t.Fatal(err)
	}
	if got := []string{gone.Sunset, gone.Successor, gone.Requested}; gone.Status != 410 || gone.MessageID != verso.VersionGone ||
		!slices.Equal(got, []string{"2026-06-01T00:00:00Z", "v3", "v1"}) {
		t.Errorf("%d %s, %q", gone.Status, gone.MessageID, got)
	}
	if !sent.In(verso.V("v1")) || sent.In(verso.V("v9")) {
		t.Error("the versions that have it depend on their end")
	}
	if got := sent.ServedField(verso.V("v3")); got.Name != "Api-Version" || !slices.Equal(got.Lines, []string{"v3"}) {
		t.Errorf("%+v", got)
	}
	if got := sent.ServedField(verso.V("v9")); got.Name != "" {
		t.Errorf("%+v", got)
	}
}

// Without a catalogue, the versions of a list have no dates and no field.
func TestSentInList(t *testing.T) {
	api := verso.MustNew(verso.Header("V"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	sent := verso.Must(adapter.NewSent(api, verso.Since("v2")))
	got, err := sent.Version(verso.V("v2"))
	if got != verso.V("v2") || err != nil || sent.ServedField(got).Name != "" {
		t.Errorf("%q, %v, %+v", got, err, sent.ServedField(got))
	}
}

func TestSentMistakes(t *testing.T) {
	now := catalogue.MustDate("2026-03-01")
	api := sentAPI(catalogue.Gone, &now)
	open := verso.MustNew(verso.Header("V"), verso.Config{})
	for name, test := range map[string]struct {
		api     *verso.Versioning
		options []verso.RouteOption
		want    []string
	}{
		"neutral":              {api, []verso.RouteOption{verso.Neutral()}, []string{"remove the rest"}},
		"a sunset":             {api, []verso.RouteOption{verso.SunsetAt(now)}, []string{"remove the rest"}},
		"a deprecation":        {api, []verso.RouteOption{verso.DeprecatedAt(now)}, []string{"remove the rest"}},
		"links":                {api, []verso.RouteOption{verso.Related(catalogue.Link{Href: "/x", Rel: "help"})}, []string{"remove the rest"}},
		"names":                {api, []verso.RouteOption{verso.Names(map[string]string{"/": "x"})}, []string{"remove the rest"}},
		"several mistakes":     {api, []verso.RouteOption{verso.Since("v9"), verso.Neutral()}, []string{"remove the rest", `"v9"`}},
		"no version":           {api, []verso.RouteOption{verso.Since("v3"), verso.RemovedIn("v2")}, []string{"no version"}},
		"no order of versions": {open, nil, []string{"need an order of versions"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := adapter.NewSent(test.api, test.options...)
			for _, want := range test.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %s", err, want)
				}
			}
		})
	}
}
