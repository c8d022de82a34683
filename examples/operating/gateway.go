package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// nginx returns a location of nginx for each version: with its fields, and 410 once it
// has ended.
func nginx(versions *catalogue.Catalogue, now time.Time) string {
	var conf strings.Builder
	for i, version := range versions.Versions() {
		entry, answer := versions.Entry(i), "proxy_pass http://service"
		if versions.At(now).State(i) == catalogue.Ended {
			answer = "return 410"
		}
		fmt.Fprintf(&conf, "location /%s/ {\n", version)
		if !entry.Deprecated.IsZero() {
			fmt.Fprintf(&conf, "    add_header Deprecation @%d always;\n", entry.Deprecated.Unix())
		}
		if !entry.Sunset.IsZero() {
			fmt.Fprintf(&conf, "    add_header Sunset %q always;\n", entry.Sunset.UTC().Format(http.TimeFormat))
		}
		fmt.Fprintf(&conf, "    %s;\n}\n", answer)
	}
	return conf.String()
}
