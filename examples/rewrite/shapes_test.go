package rewrite_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
)

// A grant is used alone, and embedded in another response; it had one subject of two kinds. A signup had an object that is
// flat now.
type grant struct {
	ID        string `json:"id"`
	CreatedBy string `json:"createdBy"`
	User      string `json:"user,omitempty"`
	Group     string `json:"group,omitempty"`
	Privilege string `json:"privilege"`
}
type createdGrant struct {
	*grant     `json:",inline"`
	WasCreated bool `json:"wasCreated"`
}
type organisation struct {
	Name      string `json:"name"`
	Subdomain string `json:"subDomain"`
}
type signup struct {
	Name      string `json:"name"`
	OrgName   string `json:"orgName"`
	Subdomain string `json:"subDomain"`
}

func subjectUp(s string) (user, group string, err error) {
	if rest, ok := strings.CutPrefix(s, "i:"); ok {
		return rest, "", nil
	}
	return "", strings.TrimPrefix(s, "g:"), nil
}

func subjectDown(user, group string) (string, error) {
	if user != "" {
		return "i:" + user, nil
	}
	return "g:" + group, nil
}

func TestEmbeddedAndFlattened(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"0.16.1", "0.18.1", "0.19.0"}})
	h, err := migrate.New(api,
		migrate.Release("0.19.0",
			migrate.Changed("A signup is flat.", migrate.For[signup](migrate.Flattened[organisation]("org", map[string]string{"name": "orgName", "subDomain": "subDomain"}))),
			migrate.Changed("createdBy.", migrate.For[grant](migrate.Renamed("created_by", "createdBy")))),
		migrate.Release("0.18.1",
			migrate.Changed("A grant has a user or a group.", migrate.For[grant](migrate.Split("subject", "user", "group", subjectUp, subjectDown)))),
		migrate.Release("0.16.1"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	var got string
	echo := func(body any) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			var m map[string]any
			_ = json.NewDecoder(r.Body).Decode(&m)
			raw, _ := json.Marshal(m)
			got = string(raw)
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(body)
		}
	}
	v.Rewrite(h.Route(migrate.Accepts[grant](), migrate.Returns[createdGrant]())).HandleFunc("POST /grants", echo(createdGrant{&grant{ID: "1", CreatedBy: "2", Group: "3", Privilege: "p"}, true}))
	v.Rewrite(h.Route(migrate.Returns[[]grant]())).HandleFunc("GET /grants", echo([]grant{{ID: "1", CreatedBy: "2", User: "3", Privilege: "p"}}))
	v.Rewrite(h.Route(migrate.Accepts[signup](), migrate.Returns[signup]())).HandleFunc("POST /signup", echo(signup{"n", "o", "s"}))
	for _, c := range []struct{ version, method, path, in, handler, out string }{
		{"0.16.1", "POST", "/grants", `{"subject":"g:9","privilege":"v"}`, `{"group":"9","privilege":"v","user":""}`, `{"id":"1","created_by":"2","subject":"g:3","privilege":"p","wasCreated":true}`},
		{"0.18.1", "POST", "/grants", `{"group":"9","created_by":"x"}`, `{"createdBy":"x","group":"9"}`, `{"id":"1","created_by":"2","group":"3","privilege":"p","wasCreated":true}`},
		{"0.19.0", "POST", "/grants", `{"group":"9"}`, `{"group":"9"}`, `{"id":"1","createdBy":"2","group":"3","privilege":"p","wasCreated":true}`},
		{"0.16.1", "GET", "/grants", ``, `null`, `[{"id":"1","created_by":"2","subject":"i:3","privilege":"p"}]`},
		{"0.18.1", "POST", "/signup", `{"name":"n","org":{"name":"o","subDomain":"s"}}`, `{"name":"n","orgName":"o","subDomain":"s"}`, `{"name":"n","org":{"name":"o","subDomain":"s"}}`},
		{"0.19.0", "POST", "/signup", `{"name":"n","orgName":"o"}`, `{"name":"n","orgName":"o"}`, `{"name":"n","orgName":"o","subDomain":"s"}`},
	} {
		w := frameworks.Ask(mux, c.method, c.path, strings.NewReader(c.in), "Api-Version", c.version, "Content-Type", "application/json")
		if got != c.handler || !same(w.Body.String(), c.out) {
			t.Errorf("%s %s %s: the handler got %s, the client %s", c.version, c.method, c.path, got, w.Body)
		}
	}
}

func same(a, b string) bool {
	var x, y any
	_ = json.Unmarshal([]byte(a), &x)
	_ = json.Unmarshal([]byte(b), &y)
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

// A response embeds the stored type, a time marshals itself, and the service writes an envelope with raw data.
type nullTime struct{ T *time.Time }

func (n nullTime) MarshalJSON() ([]byte, error)  { return json.Marshal(n.T) }
func (n *nullTime) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &n.T) }

type endpoint struct {
	UID         string   `json:"uid"`
	URL         string   `json:"url"`
	Name        string   `json:"name"`
	HTTPTimeout uint64   `json:"http_timeout"`
	DeletedAt   nullTime `json:"deleted_at"`
}
type endpointResponse struct{ *endpoint }
type envelope[T any] struct {
	Status bool `json:"status"`
	Data   T    `json:"data,omitempty"`
}

func TestEmbeddedInAnEnvelope(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"2024-01-01", "2024-04-01", "2025-11-24"}})
	seconds := func(s string) (uint64, error) { d, err := time.ParseDuration(s); return uint64(d.Seconds()), err }
	text := func(n uint64) (string, error) { return (time.Duration(n) * time.Second).String(), nil }
	h, err := migrate.New(api,
		migrate.Opaque[nullTime](),
		migrate.Release("2025-11-24", migrate.Changed("Names.", migrate.For[endpoint](migrate.Renamed("target_url", "url"), migrate.Renamed("title", "name")))),
		migrate.Release("2024-04-01", migrate.Changed("Seconds.", migrate.For[endpoint](migrate.Mapped("http_timeout", seconds, text)))),
		migrate.Release("2024-01-01"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	v.Rewrite(h.Route(migrate.Returns[envelope[[]endpointResponse]]())).HandleFunc("GET /endpoints", func(w http.ResponseWriter, _ *http.Request) {
		data, _ := json.Marshal([]endpointResponse{{&endpoint{UID: "1", URL: "u", Name: "n", HTTPTimeout: 10}}})
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(envelope[json.RawMessage]{true, data})
	})
	for version, want := range map[string]string{
		"2024-01-01": `{"status":true,"data":[{"uid":"1","target_url":"u","title":"n","http_timeout":"10s","deleted_at":null}]}`,
		"2024-04-01": `{"status":true,"data":[{"uid":"1","target_url":"u","title":"n","http_timeout":10,"deleted_at":null}]}`,
		"2025-11-24": `{"status":true,"data":[{"uid":"1","url":"u","name":"n","http_timeout":10,"deleted_at":null}]}`,
	} {
		w := frameworks.Ask(mux, http.MethodGet, "/endpoints", http.NoBody, "Api-Version", version)
		if !same(w.Body.String(), want) {
			t.Errorf("%s: %s", version, w.Body)
		}
	}
}
