package adapter

import (
	"net/http"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// TestVisits: whatever the patterns are, a question visits each node of the tree at most once.
// Here each segment of the path is fixed text in one pattern, a parameter in another, and both
// with text around it, so a path of n segments has 4 to the power of n patterns.
func TestVisits(t *testing.T) {
	b := Bind(verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	nodes := 1
	var add func(prefix string, depth int)
	add = func(prefix string, depth int) {
		if depth == 0 {
			for _, end := range []string{"/end", "/:version/end", "/*"} {
				if _, err := b.Add(route.Route{Method: http.MethodGet, Path: prefix + end, Pattern: route.Colons(prefix + end)}); err != nil {
					t.Fatal(err)
				}
			}
			nodes += 3 // "end", ":version" and "end" behind it
			return
		}
		for _, segment := range []string{"xx", ":a", "x:a", ":a\\:x"} {
			nodes++
			add(prefix+"/"+segment, depth-1)
		}
	}
	add("", 4)
	rs := b.routes
	tree := rs.paths()
	path := strings.Repeat("/xx", 4)
	r, none := new(source.Request), func(*route.Route) bool { return false }
	for name, ask := range map[string]func(path string){
		"version":   func(path string) { tree.values(path, "version", func(string) bool { return true }) },
		"unknown":   func(path string) { tree.values(path, "unknown", func(string) bool { return true }) },
		"routes":    func(path string) { rs.at(r, path, false) },
		"methods":   func(path string) { rs.methodsOf(r, nil, path, none) },
		"all found": func(path string) { tree.find(path, func([]*route.Route) bool { return true }) },
	} {
		most := 0
		for _, target := range []string{path, path + "/v9", path + "/v9/end", path + "/v9/none", path + "/v9/end/more", strings.Repeat("/xx", 500), strings.Repeat("/", 500)} {
			visits := make(map[*node]int)
			visited = func(n *node) {
				if visits[n]++; visits[n] > 1 {
					t.Errorf("%s: %.40s: a node is visited %d times", name, target, visits[n])
				}
			}
			ask(target)
			visited = func(*node) {}
			most = max(most, len(visits))
		}
		if most > nodes || name != "version" && most < 4 {
			t.Errorf("%s: %d nodes are visited, of %d", name, most, nodes)
		}
		t.Logf("%s: at most %d of %d nodes", name, most, nodes)
	}
}
