package service

import (
	"cmp"
	"mime"
	"net/http"
	"regexp"
	"strings"
)

// What a service does that determines versions by hand, in the usual way. It
// sends the same Vary as Verso, but reads a single media range and rejects
// without a reason.

// served are the versions that are served.
var served = map[string]bool{"v1": true, "v2": true, "v3": true}

var (
	hostPattern      = regexp.MustCompile(`^([a-zA-Z0-9]+)\.[a-zA-Z0-9]+\.[a-zA-Z0-9]+$`)
	mediaTypePattern = regexp.MustCompile(`^application/vnd\.acme\.([a-z0-9]+)\+json`)
)

// access is how a framework tells what a request has.
type access[C any] struct {
	param, query, field func(c C, name string) string
	host, route         func(c C) string
}

// byHand returns what determines the version of a request, "" for none; nil
// unless the service does so.
func byHand[C any](o *Options, a access[C]) func(C) string {
	if o.Variant != ByHand {
		return nil
	}
	return map[string]func(C) string{
		"accept": func(c C) string {
			_, params, _ := mime.ParseMediaType(a.field(c, "Accept"))
			return params["version"]
		},
		"path": func(c C) string { return a.param(c, "version") },
		"namespace": func(c C) string {
			if parts := strings.Split(a.route(c), ":"); len(parts) > 1 {
				return parts[0]
			}
			return ""
		},
		"host":       func(c C) string { return match(hostPattern, a.host(c)) },
		"query":      func(c C) string { return a.query(c, "version") },
		"header":     func(c C) string { return a.field(c, "Api-Version") },
		"media type": func(c C) string { return match(mediaTypePattern, a.field(c, "Accept")) },
		"three sources": func(c C) string {
			if version := cmp.Or(a.param(c, "version"), a.field(c, "Api-Version")); version != "" {
				return version
			}
			return a.query(c, "version")
		},
	}[o.Scheme.Name]
}

func match(pattern *regexp.Regexp, text string) string {
	if found := pattern.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// respond sets the response fields, and returns the version to serve. ok is false
// when it is not served.
func (o *Options) respond(header http.Header, version string) (_ string, ok bool) {
	if o.Scheme.vary != "" {
		header.Add("Vary", o.Scheme.vary)
	}
	for _, field := range o.Fields {
		header.Set(field[0], field[1])
	}
	if version == "" {
		version = "v1"
	}
	return version, served[version]
}

// text returns what a store has kept: a constant, or a version that was
// determined by hand.
func text(stored any) string {
	switch value := stored.(type) {
	case *string:
		return *value
	case string:
		return value
	}
	return ""
}

// names returns the names of the routes by their patterns: some frameworks do not
// tell the name of the matched route, or allocate for it.
func (o *Options) names(pattern func(string) string) map[string]string {
	names := make(map[string]string)
	for _, route := range o.Routes {
		names[pattern(route.Pattern)] = route.Name
	}
	return names
}
