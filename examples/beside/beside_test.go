package beside

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	usersv1 "github.com/goverso/verso/examples/beside/users/v1"
	"github.com/goverso/verso/examples/beside/users/v1/usersv1connect"
	usersv2 "github.com/goverso/verso/examples/beside/users/v2"
	"github.com/goverso/verso/examples/beside/users/v2/usersv2connect"
)

var (
	announced = time.Date(2027, time.March, 1, 0, 0, 0, 0, time.UTC)
	ended     = time.Date(2027, time.July, 1, 0, 0, 0, 0, time.UTC)
)

// observed are the observations of a service.
type observed struct {
	mu   sync.Mutex
	list []string
}

func (o *observed) add(_ context.Context, seen verso.Observation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(o.list, seen.Version.String()+" "+seen.Route+" "+seen.Outcome)
}

// take returns the observations since it was called last.
func (o *observed) take() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.list
	o.list = nil
	return list
}

func newVersioning(from source.Source, now time.Time) (*verso.Versioning, *observed) {
	seen := new(observed)
	return verso.MustNew(from, verso.Config{
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2026-12-01"), Sunset: catalogue.MustDate("2027-06-30"), Successor: "v2"},
				{Version: "v2"},
			},
			AfterSunset: catalogue.Gone, SuccessorLinks: true,
		}),
		Clock:   func() time.Time { return now },
		Links:   verso.LinkConfig{Relative: true},
		Observe: seen.add,

		Acknowledged: []string{"client_not_set"},
	}), seen
}

func TestGateway(t *testing.T) {
	const link, sunset = `</v2/users/7>; rel="successor-version"`, "Wed, 30 Jun 2027 00:00:00 GMT"
	for name, test := range map[string]struct {
		now          time.Time
		path         string
		status       int
		body         string
		link, sunset string
		observed     string
	}{
		"v1":       {announced, "/v1/users/7", 200, `{"id":"7","name":"Ada Lovelace"}`, link, sunset, "v1 /{version}/ served"},
		"v2":       {announced, "/v2/users/7", 200, `{"id":"7","firstName":"Ada","lastName":"Lovelace"}`, "", "", "v2 /{version}/ served"},
		"ended":    {ended, "/v1/users/7", 410, `{"code":12,"message":"This API version has ended.","details":[]}`, link, sunset, "v1 /{version}/ version_gone"},
		"unlisted": {announced, "/v3/users/7", 404, `{"code":12,"message":"Invalid version in URL path.","details":[]}`, "", "", " /{version}/ invalid_url_path_version"},
		"no path":  {announced, "/v1/rooms", 404, `{"code":5,"message":"Not Found","details":[]}`, `</v2/rooms>; rel="successor-version"`, sunset, "v1 /{version}/ served"},
	} {
		t.Run(name, func(t *testing.T) {
			api, seen := newVersioning(verso.PathParam("version"), test.now)
			handler, err := Gateway(api)
			require.NoError(t, err)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, test.path, nil))
			assert.Equal(t, test.status, w.Code)
			assert.JSONEq(t, test.body, w.Body.String())
			assert.Equal(t, test.link, w.Header().Get("Link"))
			assert.Equal(t, test.sunset, w.Header().Get("Sunset"))
			assert.Equal(t, []string{test.observed}, seen.take())
		})
	}
}

// protocols are those of a client of Connect.
var protocols = map[string][]connect.ClientOption{
	"Connect":  nil,
	"gRPC":     {connect.WithGRPC()},
	"gRPC-Web": {connect.WithGRPCWeb()},
}

func serve(t *testing.T, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func TestConnect(t *testing.T) {
	const link, sunset = `</users.v2.Users/GetUser>; rel="successor-version"`, "Wed, 30 Jun 2027 00:00:00 GMT"
	for protocol, options := range protocols {
		t.Run(protocol, func(t *testing.T) {
			api, seen := newVersioning(verso.PathPrefix("/users.{version}.Users"), announced)
			server := serve(t, Connect(api))
			ctx, answered := connect.NewClientContext(t.Context())
			user, err := usersv1connect.NewUsersClient(server.Client(), server.URL, options...).GetUser(ctx, &usersv1.GetUserRequest{Id: "7"})
			require.NoError(t, err)
			assert.Equal(t, "Ada Lovelace", user.GetName())
			assert.Equal(t, link, answered.ResponseHeader().Get("Link"))
			assert.Equal(t, sunset, answered.ResponseHeader().Get("Sunset"))
			assert.Equal(t, []string{"v1 /users.v1.Users/ served"}, seen.take())

			next, err := usersv2connect.NewUsersClient(server.Client(), server.URL, options...).GetUser(t.Context(), &usersv2.GetUserRequest{Id: "7"})
			require.NoError(t, err)
			assert.Equal(t, "Lovelace", next.GetLastName())
			assert.Equal(t, []string{"v2 /users.v2.Users/ served"}, seen.take())

			unlisted := connect.NewClient[usersv1.GetUserRequest, usersv1.User](server.Client(), server.URL+"/users.v3.Users/GetUser", options...)
			_, err = unlisted.CallUnary(t.Context(), connect.NewRequest(new(usersv1.GetUserRequest)))
			assert.Equal(t, connect.CodeUnimplemented, connect.CodeOf(err), "the 404 of the mux")
			assert.Empty(t, seen.take())

			api, seen = newVersioning(verso.PathPrefix("/users.{version}.Users"), ended)
			server = serve(t, Connect(api))
			_, err = usersv1connect.NewUsersClient(server.Client(), server.URL, options...).GetUser(t.Context(), &usersv1.GetUserRequest{Id: "7"})
			var rejected *connect.Error
			require.ErrorAs(t, err, &rejected)
			assert.Equal(t, connect.CodeUnimplemented, rejected.Code())
			assert.Equal(t, "This API version has ended.", rejected.Message())
			assert.Equal(t, link, rejected.Meta().Get("Link"))
			assert.Equal(t, sunset, rejected.Meta().Get("Sunset"))
			assert.Equal(t, []string{"v1 /users.v1.Users/ version_gone"}, seen.take())
		})
	}
}

func TestConnectForOthers(t *testing.T) {
	api, seen := newVersioning(verso.PathPrefix("/users.{version}.Users"), ended)
	r := httptest.NewRequest(http.MethodPost, "/users.v1.Users/GetUser", nil)
	r.Header.Set("Content-Type", "text/plain") // of no protocol
	w := httptest.NewRecorder()
	Connect(api).ServeHTTP(w, r)
	assert.Equal(t, http.StatusGone, w.Code)
	assert.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
	assert.Equal(t, `</users.v2.Users/GetUser>; rel="successor-version"`, w.Header().Get("Link"))
	assert.Equal(t, []string{"v1 /users.v1.Users/ version_gone"}, seen.take())
}
