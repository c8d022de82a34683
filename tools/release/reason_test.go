package main

import "testing"

func TestCheckReasons(t *testing.T) {
	modules, err := readWorkspace(writeTree(t, map[string]string{
		"go.work":     "go 1.26.0\n\nuse (\n\t./core\n\t./a\n)\n",
		"core/go.mod": goMod("example.org/core"),
		"a/go.mod": goMod("example.org/a", "require (", "\texample.org/core v0.1.0", "\texample.com/direct v1.0.0",
			"\texample.com/indirect v1.0.0 // indirect", ")"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		reasons map[string]string
		want    string
	}{
		{"all", map[string]string{"example.org/core": "Why.", "example.com/direct": "Why."}, ""},
		{"one without", map[string]string{"example.org/core": "Why."}, "a/go.mod:7 requires example.com/direct, and nothing says why"},
		{"one that is empty", map[string]string{"example.org/core": "Why.", "example.com/direct": ""}, "and nothing says why"},
		{"one too many", map[string]string{"example.org/core": "Why.", "example.com/direct": "Why.", "example.com/gone": "Why."},
			"no module requires example.com/gone any more"},
		{"one for an indirect", map[string]string{"example.org/core": "Why.", "example.com/direct": "Why.", "example.com/indirect": "Why."},
			"no module requires example.com/indirect any more"},
	} {
		t.Run(test.name, func(t *testing.T) { checkError(t, checkReasons(modules, test.reasons), test.want) })
	}
}
