package main

import (
	"fmt"
	"strings"
)

func writePeers(w *strings.Builder, r *results) []*bound {
	faster := atLeast(3, "Iris / Verso, the whole request, Echo v4 and Gin")

	w.WriteString("### Peers\n\n")
	t := newTable("request for 2.0.0", "bare", "versioned", "allocs", "Iris / this", "cost of Iris's versions / of these")
	for _, scheme := range []string{"accept_header", "query_parameter"} {
		name := func(framework, variant string) string {
			return "Peer/" + scheme + "/" + framework + "/" + variant
		}
		iris := name("iris", "versioning")
		irisCost := r.nanoseconds(iris) - r.nanoseconds(name("iris", "bare"))
		t.add("iris/"+scheme, duration(r.nanoseconds(name("iris", "bare"))), duration(r.nanoseconds(iris)),
			fmt.Sprint(r.allocations(iris)), "", "")
		for _, framework := range frameworks {
			bare, versioned := name(framework, "bare"), name(framework, "verso")
			ratio := r.ratio(iris, versioned)
			cell := fmt.Sprintf("%.2f", ratio)
			if boundFrameworks[framework] {
				cell = faster.judge(ratio, framework+"/"+scheme)
			}
			t.add(framework+"/"+scheme, duration(r.nanoseconds(bare)), duration(r.nanoseconds(versioned)),
				fmt.Sprint(r.allocations(versioned)), cell,
				fmt.Sprintf("%.2f", irisCost/(r.nanoseconds(versioned)-r.nanoseconds(bare))))
		}
	}
	t.write(w)
	return []*bound{faster}
}
