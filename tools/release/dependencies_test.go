package main

import "testing"

func TestDependenciesTable(t *testing.T) {
	for _, test := range []struct {
		name string
		of   []dependency
		want string
	}{
		{"none", nil, "The standard library only.\n"},
		{"of each part", []dependency{
			{path: "example.com/test", version: "v1.0.0", direct: true, part: ofTests, licences: []string{"MIT"}, why: "Tests."},
			{path: "example.com/graph", version: "v1.1.0", part: ofGraph},
			{path: "example.com/program", version: "v1.2.0", part: ofPrograms, licences: []string{"Apache-2.0", "MIT"}, why: "Runs."},
			{path: "example.com/tag", version: "v1.3.0", part: ofTagged, licences: []string{"ISC"}, why: "Is fast."},
		}, `| Module | Version | Licence | Part of | Why it is there |
|---|---|---|---|---|
| ` + "`example.com/program`" + ` | v1.2.0 | Apache-2.0, MIT | programs | Runs. |
| ` + "`example.com/tag`" + ` | v1.3.0 | ISC | build tags | Is fast. |
| ` + "`example.com/test`" + ` | v1.0.0 | MIT | tests | Tests. |

In the graph only (1): ` + "`example.com/graph v1.1.0`" + `.
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := dependenciesTable(test.of); got != test.want {
				t.Errorf("table is\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}
