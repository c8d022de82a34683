// Package client asks a service on this machine for an API version, as its
// clients would in each of the five schemes.
package client

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"

	verso "github.com/goverso/verso/core"
)

// New returns a client that connects to addr, whatever host a URL names:
// v1.example.com need not be known to any name server.
func New(addr string) *http.Client {
	var dialer net.Dialer
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, addr)
		},
	}}
}

// NewRequest returns a request for the target, a path that may have a query, on
// the host. It asks for the version, none if it is "", in the way of the scheme
// with the given name and its default settings.
func NewRequest(scheme, version, host, target string) (*http.Request, error) {
	u, err := url.Parse("http://" + host + target)
	if err != nil {
		return nil, err
	}
	accept := ""
	if version != "" {
		switch scheme {
		case verso.AcceptHeaderVersioning:
			accept = "application/json; version=" + version
		case verso.URLPathVersioning, "NamespaceVersioning":
			u.Path = "/" + version + u.Path
		case verso.HostNameVersioning:
			u.Host = version + "." + u.Host
		case verso.QueryParameterVersioning:
			query := u.Query()
			query.Set("version", version)
			u.RawQuery = query.Encode()
		default:
			return nil, fmt.Errorf("no scheme is called %q", scheme)
		}
	}
	request, err := http.NewRequest(http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	return request, nil
}
