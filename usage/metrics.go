package usage

import (
	_ "embed"
	"strings"
	"text/template"
)

// metrics writes gauges in the format of OpenMetrics 1.0, for each version with a deprecation
// or a sunset. No label has the name of a client, so that a version has at most thirteen
// series.
var metrics = template.Must(template.New("metrics").Funcs(template.FuncMap{"label": labelEscaper.Replace}).Parse(metricsText))

//go:embed metrics.txt
var metricsText string

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
