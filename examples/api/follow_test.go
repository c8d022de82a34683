package api_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/api"
	"github.com/goverso/verso/examples/internal/client"
)

// TestFollowLinks goes through the whole API from one URL, by its links.
func TestFollowLinks(t *testing.T) {
	for _, framework := range frameworks {
		for scheme := range verso.BuiltinSchemes() {
			for _, version := range []string{"v1", "v2", ""} {
				name := framework.name + "/" + scheme + "/" + version
				if version == "" {
					name += "default"
				}
				t.Run(name, func(t *testing.T) {
					handler, err := framework.serve(configOf(scheme))
					require.NoError(t, err)
					newVisitor(t, handler, scheme, version).visitAll()
				})
			}
		}
	}
}

// visitor is a client that knows one URL of a service and follows links.
type visitor struct {
	t       *testing.T
	client  *http.Client
	scheme  string
	start   string // URL of the first page of users
	version string // that it asks for, "" for none
	served  string // that it must get
}

func newVisitor(t *testing.T, handler http.Handler, scheme, version string) *visitor {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	addr := server.Listener.Addr().String()
	_, port, err := net.SplitHostPort(addr)
	require.NoError(t, err)
	start, err := client.NewRequest(scheme, version, net.JoinHostPort("example.com", port), "/users")
	require.NoError(t, err)

	v := &visitor{
		t:       t,
		client:  client.New(addr),
		scheme:  scheme,
		start:   start.URL.String(),
		version: version,
		served:  cmp.Or(version, "v1"),
	}
	t.Cleanup(v.client.CloseIdleConnections)
	return v
}

func (v *visitor) visitAll() {
	var ids []int
	prev := ""
	for url := v.start; url != ""; {
		page := get[api.Page[api.User]](v, url)
		assert.Equal(v.t, verso.V(v.served), page.Version)
		assert.Equal(v.t, prev, page.Prev)
		assert.Equal(v.t, page, get[api.Page[api.User]](v, page.Self))
		v.visitOtherVersions(page.Links)
		for _, user := range page.Items {
			ids = append(ids, user.ID)
			v.visitUser(user)
		}
		prev, url = page.Self, page.Next
	}
	assert.Equal(v.t, []int{1, 2, 3, 4, 5}, ids)
}

func (v *visitor) visitUser(listed api.User) {
	user := get[api.User](v, listed.Self)
	assert.Equal(v.t, listed, user)
	assert.Equal(v.t, verso.V(v.served), user.Version)
	assert.Equal(v.t, v.served != "v1", user.Email != "")
	v.visitOtherVersions(user.Links)

	for url := user.Orders; url != ""; {
		page := get[api.Page[api.Order]](v, url)
		assert.Equal(v.t, verso.V(v.served), page.Version)
		assert.Equal(v.t, page, get[api.Page[api.Order]](v, page.Self))
		for _, listed := range page.Items {
			order := get[api.Order](v, listed.Self)
			assert.Equal(v.t, listed, order)
			assert.Equal(v.t, verso.V(v.served), order.Version)
			assert.Equal(v.t, user, get[api.User](v, order.User))
			v.visitOtherVersions(order.Links)
		}
		url = page.Next
	}
}

// visitOtherVersions follows the link to the other version, and back.
func (v *visitor) visitOtherVersions(links api.Links) {
	if v.scheme == verso.HostNameVersioning && v.version == "" {
		assert.Empty(v.t, links.OtherVersions, "example.com has no place for a version")
		return
	}
	there := *v
	there.version = map[string]string{"v1": "v2", "v2": "v1"}[v.served]
	require.Equal(v.t, []string{there.version}, slices.Collect(maps.Keys(links.OtherVersions)))

	type resource struct {
		Version verso.Version
		api.Links
	}
	other := get[resource](&there, links.OtherVersions[there.version])
	assert.Equal(v.t, verso.V(there.version), other.Version)
	assert.Equal(v.t, links.OtherVersions[there.version], other.Self)

	back := get[resource](v, other.OtherVersions[v.served])
	assert.Equal(v.t, resource{verso.V(v.served), links}, back)
}

// get follows a link. Only in the Accept scheme has the client to say once more
// which version it wants.
func get[T any](v *visitor, url string) T {
	v.t.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	require.NoError(v.t, err)
	if v.scheme == verso.AcceptHeaderVersioning && v.version != "" {
		request.Header.Set("Accept", "application/json; version="+v.version)
	}
	response, err := v.client.Do(request)
	require.NoError(v.t, err)
	defer response.Body.Close()
	require.Equal(v.t, http.StatusOK, response.StatusCode, url)
	var body T
	require.NoError(v.t, json.NewDecoder(response.Body).Decode(&body))
	return body
}
