package main

import (
	"fmt"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

func writePeers(w *strings.Builder, r *results) []*report.Bound {
	faster := report.AtLeast(3, "Iris / Verso, the whole request, Echo v4 and Gin")

	w.WriteString("### Peers\n\n")
	t := report.NewTable("request for 2.0.0", "bare", "versioned", "allocs", "Iris / this", "cost of Iris's versions / of these")
	for _, scheme := range []string{"accept_header", "query_parameter"} {
		name := func(framework, variant string) string {
			return "Peer/" + scheme + "/" + framework + "/" + variant
		}
		iris := name("iris", "versioning")
		irisCost := r.nanoseconds(iris) - r.nanoseconds(name("iris", "bare"))
		t.Add("iris/"+scheme, report.Duration(r.nanoseconds(name("iris", "bare"))), report.Duration(r.nanoseconds(iris)),
			fmt.Sprint(r.allocations(iris)), "", "")
		for _, framework := range frameworks {
			bare, versioned := name(framework, "bare"), name(framework, "verso")
			ratio := r.ratio(iris, versioned)
			cell := fmt.Sprintf("%.2f", ratio)
			if boundFrameworks[framework] {
				cell = faster.Judge(ratio, framework+"/"+scheme)
			}
			t.Add(framework+"/"+scheme, report.Duration(r.nanoseconds(bare)), report.Duration(r.nanoseconds(versioned)),
				fmt.Sprint(r.allocations(versioned)), cell,
				fmt.Sprintf("%.2f", irisCost/(r.nanoseconds(versioned)-r.nanoseconds(bare))))
		}
	}
	t.Write(w)
	return []*report.Bound{faster}
}
