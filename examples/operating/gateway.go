package main

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// writeNginx writes a location of nginx for each version: with its fields, and 410
// once it has ended.
func writeNginx(w io.Writer, versions *catalogue.Catalogue, now time.Time) {
	for i, version := range versions.Versions() {
		entry, answer := versions.Entry(i), "proxy_pass http://service"
		if versions.At(now).State(i) == catalogue.Ended {
			answer = "return 410"
		}
		fmt.Fprintf(w, "location /%s/ {\n", version)
		if !entry.Deprecated.IsZero() {
			fmt.Fprintf(w, "    add_header Deprecation @%d always;\n", entry.Deprecated.Unix())
		}
		if !entry.Sunset.IsZero() {
			fmt.Fprintf(w, "    add_header Sunset %q always;\n", entry.Sunset.UTC().Format(http.TimeFormat))
		}
		fmt.Fprintf(w, "    %s;\n}\n", answer)
	}
}
