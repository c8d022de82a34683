package client

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

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
	if config.Base == nil || config.Base == (*http.Transport)(nil) {
		config.Base = http.DefaultTransport
	}
	if config.Clock == nil {
		config.Clock = time.Now
	}
	return &Transport{config: config, hosts: hosts, place: p}, nil
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
	if t == nil || t.config.Base == nil {
		return nil, errors.New("verso/client: the Transport is nil or empty: make it with client.New")
	}
	if r.URL == nil || !t.isOurs(r) {
		if r.URL != nil && !t.reached.Swap(true) {
			cmp.Or(t.config.Logger, slog.Default()).Warn(
				"verso: Hosts lacks the host of a request, so it names no version", "host", r.URL.Host)
		}
		return t.config.Base.RoundTrip(r)
	}
	t.reached.Store(true)
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

var _ http.RoundTripper = (*Transport)(nil)

// isOurs reports whether the request goes to one of the hosts. The URL decides where
// it goes; Request.Host only sets a header.
func (t *Transport) isOurs(r *http.Request) bool {
	name, port := r.URL.Hostname(), r.URL.Port()
	if port == "" {
		port = defaultPorts[r.URL.Scheme]
	}
	for _, h := range t.hosts {
		// Equal lengths keep EqualFold from matching letters outside ASCII.
		if len(h.name) == len(name) && strings.EqualFold(h.name, name) && (h.port == "" || h.port == port) {
			return true
		}
	}
	return false
}
