// Package client is the side that listens: an [http.RoundTripper] that asks for a
// version of an API, and reports what the answers say about that version. A
// service announces on every response that a version is deprecated and when it
// ends; a [Transport] logs it once, and hands it to a callback.
//
//	transport, err := client.New(client.Config{
//		Source:  verso.Header("Api-Version"),
//		Version: verso.V("v1"),
//		Hosts:   []string{"api.example.com"},
//	})
//	...
//	api := &http.Client{Transport: transport}
//
// It understands any service that sends Deprecation (RFC 9745), Sunset (RFC 8594),
// Api-Supported-Versions or Api-Deprecated-Versions, well-formed or not.
package client

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	verso "github.com/goverso/verso/core"
)

// Config is what [New] makes a [Transport] of.
type Config struct {
	// Base sends the requests.
	// Optional. Default value: [http.DefaultTransport].
	Base http.RoundTripper

	// Source is where the service reads the version, and where it is written: a
	// header, a parameter of Accept, a vendor media type or a query parameter.
	// Required, unless InURL is set.
	//
	// [New] refuses a source in the path, the host or a namespace, which is in
	// the URL that the program asks for: see InURL.
	Source verso.Source

	// InURL says that the version is in the path or the host of the URLs that
	// the program asks for. Nothing is written; there must be no Source.
	// Optional. Default value: false.
	InURL bool

	// Version is the version to ask for, or that InURL is about. Required.
	Version verso.Version

	// Hosts are the hosts of the service: "api.example.com" with any port,
	// "api.example.com:8443" with this one. They are compared with the host of
	// the URL, ignoring case. Requests to other hosts, such as those that a
	// redirect leads to, are sent as they are, and what they answer is not
	// read. Required.
	Hosts []string

	// Logger gets a record for each [Notice].
	// Optional. Default value: [slog.Default], at the time of the notice.
	Logger *slog.Logger

	// OnNotice is called for each [Notice], before RoundTrip returns and
	// perhaps by several goroutines at once.
	// Optional. Default value: nil, notices are only logged.
	OnNotice func(Notice)

	// Clock tells whether a deprecation lies in the future. It is read for
	// answers that say something about versions only.
	// Optional. Default value: [time.Now].
	Clock func() time.Time
}

// Transport is an [http.RoundTripper] that asks for a version and reports what the
// answers say about it. It is safe for concurrent use.
type Transport struct {
	config   Config
	hosts    []host
	place    place
	reported reported
}

var _ http.RoundTripper = (*Transport)(nil)

// New returns a transport that asks for the version. What is wrong with the
// configuration is an error: the [*verso.Finding] of each mistake, joined.
//
// It refuses a source that writes neither a header nor the query, and a version
// that cannot be where the source writes it.
func New(config Config) (*Transport, error) {
	hosts, errs := parseHosts(config.Hosts)
	var p place
	switch {
	case config.Version.String() == "":
		errs = append(errs, mistake("version_missing", "Version", "there is no version to ask for: give one, such as verso.V(%q)", "v1"))
	case config.InURL && config.Source != nil:
		errs = append(errs, mistake("in_url", "InURL", "the version is in the URL, but there is a Source: remove one"))
	case !config.InURL:
		var err error
		p, err = newPlace(config.Source, config.Version)
		errs = append(errs, err)
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
	return &verso.Finding{Level: verso.Refused, Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}

// RoundTrip sends the request to one of the hosts with the version, unless it has
// a version already, and reports what the answer says: see [Notice]. The request
// is not modified, and the answer and the error are those of the base.
//
// An Accept field of the request keeps its meaning. A parameter of Accept is added
// to each media range; ranges with weight 0 stay. A vendor media type takes the place
// of the range that would accept it, with the parameters of that range: of the plain
// type behind its "+", or else of a wildcard; wildcards that are then left would
// accept other versions and are dropped. Where there is no such range, as in
// "text/csv", the request goes without a version.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
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

// CloseIdleConnections closes the idle connections of the base, if it can.
// [http.Client.CloseIdleConnections] calls it.
func (t *Transport) CloseIdleConnections() {
	if closer, ok := t.config.Base.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}
