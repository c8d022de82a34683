// Package client is the client side: an [http.RoundTripper] that asks for a version
// of an API and reports what the responses announce about that version. A service
// announces on every response that a version is deprecated and when it ends; a
// [Transport] logs it once and passes it to a callback.
//
//	transport, err := client.New(client.Config{
//		Source:  verso.Header("Api-Version"),
//		Version: verso.V("v1"),
//		Hosts:   []string{"api.example.com"},
//	})
//	...
//	api := &http.Client{Transport: transport}
//
// It works with any service that sends Deprecation (RFC 9745), Sunset (RFC 8594),
// Api-Supported-Versions or Api-Deprecated-Versions, even malformed ones.
package client

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// Config configures a [Transport].
type Config struct {
	// Base sends the requests.
	// Optional. Default value: [http.DefaultTransport].
	Base http.RoundTripper

	// Source is where the service reads the version, and where the transport
	// writes it: a header, a parameter of Accept, a vendor media type, a query
	// parameter or a path prefix. Required, unless InURL is set.
	//
	// [New] refuses a path parameter, the host or a namespace: the URLs of the
	// program contain the version. See InURL.
	Source source.Source

	// InURL is true if the path or the host of the program's URLs contains the
	// version. The transport then writes nothing, and Source must be nil.
	// Optional. Default value: false.
	InURL bool

	// Version is the version to ask for, or the one in the URLs. Required.
	Version verso.Version

	// AnyServed is true if the service may answer in another version, because Version is a
	// date or a release. A response in another version then causes no [Notice].
	// Optional. Default value: false.
	AnyServed bool

	// ServedHeader is the response header with the version that answered, if Source reads
	// another place: a service that falls forward has it beside a path.
	// Optional. Default value: "", the header of Source; none is read for other sources.
	ServedHeader string

	// Hosts are the hosts of the service: "api.example.com" with any port,
	// "api.example.com:8443" with this port. They are compared with the host of
	// the URL, ignoring case. Requests to other hosts, such as the target of a
	// redirect, are sent unchanged, and their responses are not read. Required.
	Hosts []string

	// Logger receives a record for each [Notice].
	// Optional. Default value: [slog.Default], at the time of the notice.
	Logger *slog.Logger

	// OnNotice is called for each [Notice] before RoundTrip returns, possibly by
	// several goroutines at once.
	// Optional. Default value: nil, notices are only logged.
	OnNotice func(Notice)

	// Clock decides whether a deprecation is in the future. It is read only for
	// responses about versions. Optional. Default value: [time.Now].
	Clock func() time.Time
}

// Transport is an [http.RoundTripper] that asks for a version and reports what the
// responses announce about it. [New] returns one; the zero Transport is not valid, and its
// requests fail. It is safe for concurrent use.
type Transport struct {
	config   Config
	hosts    []host
	place    place
	reported reported
	reached  atomic.Bool // Hosts had the host of a request, or a request without was logged
}
