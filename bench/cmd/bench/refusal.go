package main

import (
	"fmt"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

// ownIsText are the frameworks that answer with a line of plain text when they
// have no route; Echo answers with JSON.
var ownIsText = map[string]bool{"gin": true, "http": true}

func writeRefusal(w *strings.Builder, r *results) []*report.Bound {
	overJSON := report.AtMost(2, "refusal / the framework's own 404 in JSON (Echo)")
	overText := report.AtMost(2, "refusal / the framework's own 404 in plain text (Gin, net/http)")
	overHandler := report.AtMost(2, "refusal / a handler's 404 with the same JSON body")

	w.WriteString("### Refusal\n\n")
	t := report.NewTable("404 or 406", "time", "allocs", "/ own 404", "/ handler's 404")
	for _, framework := range frameworks {
		name := func(variant string) string { return "Refusal/" + framework + "/" + variant }
		overOwn := overJSON
		if ownIsText[framework] {
			overOwn = overText
		}
		for _, variant := range []string{"own", "handler", "query_parameter", "accept_header", "translated", "translated-64KiB"} {
			ownRatio, handlerRatio := r.ratio(name(variant), name("own")), r.ratio(name(variant), name("handler"))
			own, handler := fmt.Sprintf("%.2f", ownRatio), fmt.Sprintf("%.2f", handlerRatio)
			if variant == "query_parameter" || variant == "accept_header" {
				own, handler = overOwn.Judge(ownRatio, framework+"/"+variant), overHandler.Judge(handlerRatio, framework+"/"+variant)
			}
			s := r.time(name(variant))
			t.Add(framework+"/"+variant, report.Duration(s.Center)+" "+s.PctRangeString(), fmt.Sprint(r.allocations(name(variant))), own, handler)
		}
	}
	t.Write(w)
	return []*report.Bound{overJSON, overHandler, overText}
}
