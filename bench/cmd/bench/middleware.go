package main

import (
	"fmt"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

var frameworks = []string{"echo", "gin", "echo5", "http"}

var schemes = []string{"accept_header", "url_path", "namespace", "hostname", "query_parameter"}

// boundFrameworks are those that the bounds on time are for.
var boundFrameworks = map[string]bool{"echo": true, "gin": true}

func writeMiddleware(w *strings.Builder, r *results) []*report.Bound {
	accept := report.AtMost(1.4, "Verso / store, Accept, Echo v4 and Gin")
	others := report.AtMost(1.25, "Verso / store, other schemes, Echo v4 and Gin")
	faster := report.AtLeast(1.7, "by hand / Verso, Accept, host and query, Echo v4 and Gin")
	notSlower := report.AtLeast(1, "by hand / Verso, path and namespace, Echo v4 and Gin")
	allocs := report.AtMost(0, "allocations of Verso beyond store, all adapters and schemes")

	w.WriteString("### Middleware\n\n")
	t := report.NewTable("request for v2", "bare", "nop", "store", "Verso", "by hand", "Verso / store", "by hand / Verso", "allocs: store", "Verso", "by hand")
	for _, framework := range frameworks {
		for _, scheme := range schemes {
			where := framework + "/" + scheme
			name := func(variant string) string { return "Middleware/" + where + "/" + variant }
			time := func(variant string) string {
				s := r.time(name(variant))
				return report.Duration(s.Center) + " " + s.PctRangeString()
			}
			overStore, overVerso := others, notSlower
			if scheme == "accept_header" {
				overStore = accept
			}
			if scheme != "url_path" && scheme != "namespace" {
				overVerso = faster
			}
			storeRatio, handRatio := r.ratio(name("verso"), name("store")), r.ratio(name("byhand"), name("verso"))
			storeCell, handCell := fmt.Sprintf("%.2f", storeRatio), fmt.Sprintf("%.2f", handRatio)
			if boundFrameworks[framework] {
				storeCell, handCell = overStore.Judge(storeRatio, where), overVerso.Judge(handRatio, where)
			}
			stored, versioned := r.allocations(name("store")), r.allocations(name("verso"))
			allocs.Judge(versioned-stored, where)
			t.Add(where, time("bare"), time("nop"), time("store"), time("verso"), time("byhand"), storeCell, handCell,
				fmt.Sprint(stored), fmt.Sprint(versioned), fmt.Sprint(r.allocations(name("byhand"))))
		}
	}
	t.Write(w)
	return []*report.Bound{allocs, accept, others, faster, notSlower}
}
