package main

import "testing"

func TestSuiteTable(t *testing.T) {
	got := suiteTable([]suiteResult{
		{adapter: "a", passed: map[string]int{"determine": 2}, all: map[string]int{"determine": 2}},
		{
			adapter: "b", passed: map[string]int{"determine": 1}, all: map[string]int{"determine": 2, "links": 1},
			deviations: []string{"determine/x: deviates as declared (because)"},
		},
	})
	const want = `
| Cases of level http | a | b |
|---|---:|---:|
| determine | 2 of 2 | 1 of 2 |
| links | 0 of 0 | 0 of 1 |

Declared deviations:
- b, determine/x: deviates as declared (because).

`
	if got != want {
		t.Errorf("table is %q, want %q", got, want)
	}
}
