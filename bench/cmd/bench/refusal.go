package main

import (
	"fmt"
	"strings"
)

// ownIsText are the frameworks that answer with a line of plain text when they
// have no route; Echo answers with JSON.
var ownIsText = map[string]bool{"gin": true, "http": true}

func writeRefusal(w *strings.Builder, r *results) []*bound {
	overJSON := atMost(2, "refusal / the framework's own 404 in JSON (Echo)")
	overText := atMost(2, "refusal / the framework's own 404 in plain text (Gin, net/http)")
	overHandler := atMost(2, "refusal / a handler's 404 with the same JSON body")

	w.WriteString("### Refusal\n\n")
	t := newTable("404 or 406", "time", "allocs", "/ own 404", "/ handler's 404")
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
				own, handler = overOwn.judge(ownRatio, framework+"/"+variant), overHandler.judge(handlerRatio, framework+"/"+variant)
			}
			s := r.time(name(variant))
			t.add(framework+"/"+variant, duration(s.Center)+" "+s.PctRangeString(), fmt.Sprint(r.allocations(name(variant))), own, handler)
		}
	}
	t.write(w)
	return []*bound{overJSON, overHandler, overText}
}
