package differ

import (
	"math/rand/v2"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
)

// Value returns a random value of a schema, as decoded JSON.
func Value(r *rand.Rand, d *document.Document, schema any) any { return value(r, d, schema, 0) }

var formats = map[string]string{
	"date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "byte": "YWE=", "email": "a@example.com", "uri": "https://example.com/", "url": "https://example.com/",
	"uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "192.0.2.1",
}

func value(r *rand.Rand, d *document.Document, schema any, depth int) any {
	w := d.View(schema)
	if values := w.Enum(); len(values) > 0 {
		return values[r.IntN(len(values))]
	}
	switch w.Kind {
	case "string":
		if text, ok := formats[document.Str(w.Schema["format"])]; ok {
			return text
		}
		return strings.Repeat("a", max(1, number(w.Schema["minLength"])))
	case "integer":
		return max(number(w.Schema["minimum"]), 1) + r.IntN(5)
	case "number":
		return float64(max(number(w.Schema["minimum"]), 1)) + 0.5
	case "boolean":
		return r.IntN(2) == 0
	case "list":
		list := []any{}
		for range max(number(w.Schema["minItems"]), r.IntN(3)) {
			if depth < 6 {
				list = append(list, value(r, d, w.Schema["items"], depth+1))
			}
		}
		return list
	case "union":
		return value(r, d, w.Variants[r.IntN(len(w.Variants))], depth+1)
	case "map":
		m := map[string]any{}
		if of := document.Obj(w.Schema["additionalProperties"]); len(of) > 0 && depth < 6 {
			m["key"] = value(r, d, of, depth+1)
		}
		return m
	case "object":
		m := map[string]any{}
		for _, name := range document.Names(w.Props) {
			if w.Required[name] && depth < 9 || depth < 4 && r.IntN(2) == 0 {
				m[name] = value(r, d, w.Props[name], depth+1)
			}
		}
		return m
	}
	return map[string]any{}
}

// number returns a bound, or 0.
func number(v any) int {
	if n, ok := v.(interface{ Int64() (int64, error) }); ok {
		if i, err := n.Int64(); err == nil && i > 0 && i < 1000 {
			return int(i)
		}
	}
	return 0
}
