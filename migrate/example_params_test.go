package migrate_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// UserList are the parameters of a list.
type UserList struct {
	OrderBy string `query:"order_by"`
	State   string `query:"state"`
}

// A query is edited like a body, and a status and a response header follow a change.
func ExampleQuery() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	total := migrate.Behaves("A list is status 200 with its number in X-Total-Count; it was 206 with X-Total.")
	history := verso.Must(migrate.New(api,
		migrate.Release("v2",
			migrate.Changed("Users are sorted by order_by.", migrate.For[UserList](
				migrate.Renamed("sort", "order_by"), migrate.Values("state", map[string]string{"on": "active"}))),
			total),
		migrate.Release("v1")))
	route := history.Route(migrate.Query[UserList](), total.Status(206, 200), total.ResponseHeader("X-Total", "X-Total-Count"))

	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users?sort=name&state=on&page=2", nil)
	rewriting, err := route.Begin(verso.V("v1"), w, r)
	fmt.Println(r.URL.RawQuery, err)
	rewriting.Header().Set("X-Total-Count", "7")
	rewriting.WriteHeader(http.StatusOK)
	fmt.Println(rewriting.Finish(), w.Code, w.Header().Get("X-Total"))
	fmt.Println(route.LowerQuery(verso.V("v1"), url.Values{"order_by": {"name"}, "page": {"3"}}).Encode())

	_, err = route.Begin(verso.V("v1"), w, httptest.NewRequest(http.MethodGet, "/users?state=active", nil))
	fmt.Println(err)
	// Output:
	// order_by=name&state=active&page=2 <nil>
	// <nil> 206 7
	// page=3&sort=name
	// the parameter has a value that this version does not have: "state"
}
