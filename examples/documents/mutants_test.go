package documents_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDocumentMutantsLong breaks the maker of documents in one place at a time, and requires
// that the proof detects it.
func TestDocumentMutantsLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("compiles the package several times: set VERSO_LONG=1")
	}
	for _, mutant := range []struct{ name, from, to string }{
		{"a rename stays", "o.put(old, property, required)\n\t\treturn nil", "o.put(name, property, required)\n\t\treturn nil"},
		{"what was added stays required", "delete(o.required, name)", ""},
		{"a removed member is required", "o.put(name, s, false) // what requests have of it is dropped", "o.put(name, s, true)"},
		{"new values stay", "raw, err = fn([][]byte{raw})", "_ = fn"},
		{"another type stays", "schema = o.lowering.schemaOf(old, nil)", "_ = old"},
		{"null is forgotten", "if nullable {\n\t\tschema = o.lowering.nullable(schema)", "if nullable && false {\n\t\tschema = o.lowering.nullable(schema)"},
		{"a split text is a number", "\"string\"}\n\t\tif example, ok := first", "\"integer\"}\n\t\tif example, ok := first"},
		{"a part of a text is a number", "\"string\"}\n\t\t\tif example, ok := whole", "\"integer\"}\n\t\t\tif example, ok := whole"},
		{"a split text is optional", "o.put(old, s, firstRequired || secondRequired)", "o.put(old, s, false)"},
		{"the object inside stays", "_, required := o.take(name)\n\t\tfor old", "required := o.required[name]\n\t\tfor old"},
		{"names inside are taken for old ones", "property, ok := properties[inner]", "property, ok := properties[old]\n\t\tok = true"},
		{"edits of a version too few", "edits := l.edits.after(t, l.index)\n\tif r", "edits := l.edits.after(t, l.index)\n\tedits = edits[:max(0, len(edits)-1)]\n\tif r"},
		{"the schemas of lists stay", `return l.schema(s["items"], t.Elem(), place+"/items")`, "return nil"},
		{"a default stays required", "o.take(name)\n\t\to.put(name, s, false)\n\t\treturn nil", "return nil"},
	} {
		t.Run(mutant.name, func(t *testing.T) {
			path, err := filepath.Abs("../../migrate/documentschema.go")
			require.NoError(t, err)
			code, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(code), mutant.from), "the place to break is not there once")
			broken := filepath.Join(t.TempDir(), "documentschema.go")
			require.NoError(t, os.WriteFile(broken, []byte(strings.Replace(string(code), mutant.from, mutant.to, 1)), 0o600))
			overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: broken}})
			require.NoError(t, err)
			list := filepath.Join(t.TempDir(), "overlay.json")
			require.NoError(t, os.WriteFile(list, overlay, 0o600))
			out, err := exec.Command("go", "test", "-vet=off", "-failfast", "-overlay", list, "-run", "OfVersions", ".").CombinedOutput()
			assert.Error(t, err, "the proof does not detect it")
			assert.NotContains(t, string(out), "[build failed]")
			assert.Contains(t, string(out), "--- FAIL: Test")
		})
	}
}
