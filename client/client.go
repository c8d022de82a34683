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
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
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
	// writes it: a header, a parameter of Accept, a vendor media type or a query
	// parameter. Required, unless InURL is set.
	//
	// [New] refuses a source in the path, the host or a namespace: the URLs of the
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
}

var _ http.RoundTripper = (*Transport)(nil)

// New returns a transport that asks for the version. The error joins every mistake
// in the configuration, each as a [*verso.Finding].
//
// It refuses a source that writes neither a header nor the query, and a version
// that the source cannot carry.
func New(config Config) (*Transport, error) {
	hosts, errs := parseHosts(config.Hosts)
	var p place
	switch {
	case config.Version.String() == "":
		errs = append(errs, mistake("version_missing", "Version", "the version is missing: set it, such as verso.V(%q)",
			"v1"))
	case config.InURL && config.Source != nil:
		errs = append(errs, mistake("in_url", "InURL", "both InURL and Source are set: remove one"))
	case !config.InURL:
		var err error
		p, err = newPlace(config.Source, config.Version)
		errs = append(errs, err)
	}
	if name := config.ServedHeader; strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c >= 0x7f || c == ':' }) {
		errs = append(errs, mistake("header_name", "ServedHeader",
			"%q is not the name of a header: write one such as %q", name, "Api-Version"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if config.Base == nil {
		config.Base = http.DefaultTransport
	}
	if config.Clock == nil {
		config.Clock = time.Now
	}
	return &Transport{config: config, hosts: hosts, place: p}, nil
}

func mistake(code, field, format string, args ...any) error {
	return &verso.Finding{Level: verso.LevelError, Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}

// RoundTrip adds the version to a request to one of the hosts, unless the request
// already has a version, and reports what the response announces: see [Notice]. It
// does not modify the request, and returns the response and the error of the base.
//
// An Accept field of the request keeps its meaning. A parameter of Accept is added
// to each media range, except ranges with weight 0. A vendor media type replaces the
// range that would accept it, and keeps the parameters of that range: it replaces the
// plain type of its "+" suffix, or else a wildcard. Remaining wildcards would accept
// other versions, so they are removed. Without such a range, as in "text/csv", the
// request is sent without a version.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.config.Base == nil {
		return nil, errors.New("verso/client: the Transport is empty: make it with client.New")
	}
	if r.URL == nil || !t.isOurs(r) {
		return t.config.Base.RoundTrip(r)
	}
	sent, asked := t.place.write(r, t.config.Version)
	response, err := t.config.Base.RoundTrip(sent)
	if err == nil && response != nil {
		t.listen(sent, response, asked)
	}
	return response, err
}

// CloseIdleConnections closes the idle connections of the base, if it supports this.
// [http.Client.CloseIdleConnections] calls it.
func (t *Transport) CloseIdleConnections() {
	if closer, ok := t.config.Base.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}
