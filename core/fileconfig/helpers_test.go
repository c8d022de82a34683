package fileconfig_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

const vendor = "application/vnd.acme.{version}+json"

// ask is a request by its parts.
type ask struct {
	host, query string
	header      http.Header
	params      map[string]string // path parameters
	route       *route.Route
}

func (a ask) request() source.Request {
	r := &http.Request{Method: http.MethodGet, Host: a.host, URL: &url.URL{Path: "/", RawQuery: a.query}, Header: a.header}
	return versotest.Request(r, a.params, a.route)
}

func in(version string) ask    { return ask{params: map[string]string{"version": version}} }
func accept(line string) ask   { return ask{header: http.Header{"Accept": {line}}} }
func field(version string) ask { return ask{header: http.Header{"Api-Version": {version}}} }
func query(text string) ask    { return ask{query: text} }
func host(name string) ask     { return ask{host: name} }
func named(name string) ask    { return ask{route: &route.Route{Name: name}} }

// outcome says what becomes of a request: "= v1", "none" or "404
// invalid_url_path_version".
func outcome(api *verso.Versioning, r source.Request) string {
	version, err := adapter.Bind(api, nil).DetermineVersion(r)
	if rejected, ok := errors.AsType[*verso.Error](err); ok {
		return fmt.Sprintf("%d %s", rejected.Status, rejected.MessageID)
	}
	if err != nil {
		return "error " + err.Error()
	}
	if version.IsNone() {
		return "none"
	}
	return "= " + version.String()
}
