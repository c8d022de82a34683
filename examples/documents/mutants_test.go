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
	for _, mutant := range []struct{ name, file, from, to string }{
		{"a rename stays", "edit.go", "o.properties[old] = o.take(name)", "o.properties[name] = o.take(name)"},
		{"what was added stays required", "objectschema.go", "delete(o.properties, name)", "p.schema = nil"},
		{"a removed member is required", "edit.go", "required: o.isRead && isEmpty == nil", "required: isEmpty == nil"},
		{"new values stay", "objectschema.go", "raw, err := fn(in)", "raw, err := in[0], error(nil)"},
		{"another type stays", "edit.go", "o.mapped(p.schema, e.old, e.down)", "o.mapped(p.schema, nil, e.down)"},
		{"null is forgotten", "objectschema.go", "o.nullable(made, nullable)", "o.nullable(made, nullable && false)"},
		{"a split text is a number", "split.go", "\"string\"}\n\t\t\tif one", "\"integer\"}\n\t\t\tif one"},
		{"a part of a text is a number", "split.go", "\"string\"}\n\t\t\t\tif example, ok := own", "\"integer\"}\n\t\t\t\tif example, ok := own"},
		{"a split text is optional", "split.go", "required: first.required || second.required", "required: false"},
		{"the object inside stays", "nested.go", "object := o.take(name)", "object := o.properties[name]"},
		{"names inside are taken for old ones", "nested.go", "made := inner[oldToInside[old]]", "made := inner[old]\n\t\t\t\tif made == nil {\n\t\t\t\t\tmade = &property{schema: map[string]any{}}\n\t\t\t\t}"},
		{"a default stays required", "edit.go", "decoded(raw)), false", "decoded(raw)), p.required"},
		{"edits of a version too few", "documentschema.go", "l.structure(s, t, l.edits.after(t, l.index), place)", "l.structure(s, t, l.edits.after(t, l.index-1), place)"},
		{"the schemas of lists stay", "documentschema.go", `s[key] = l.schema(inner, t.Elem(), place+"/"+key)`, "_ = inner"},
		{"parts of allOf replace each other", "documentschema.go", `p.schema = map[string]any{"allOf": []any{there.schema, p.schema}}`, ""},
		{"conditions stay", "documentschema.go", "if _, ok := made[keyword]; ok {\n\t\t\tl.refuse", "if _, ok := made[keyword]; ok && false {\n\t\t\tl.refuse"},
		{"copies are never the same", "documentcopies.go", "if other.kind == kind &&", "if false &&"},
		{"webhooks do not count", "documentcopies.go", `c.visitWebhooks(visit)`, ""},
		{"mappings do not count", "documentcopies.go", `ok && key == "mapping"`, `false`},
		{"a copy takes the name of what stays", "documentcopies.go", "|| reached[to]", ""},
		{"parts of paths do not count", "documentcopies.go", `c.operations[whole[1:]] != nil && err == nil {`, "false {"},
		{"what passes does not", "document.go", `case b.is[passes(own)], own`, `case own`},
		{"any type is none", "document.go", "b.is[anyType] || isJSON", "isJSON"},
		{"media types replace each other", "document.go", "content[older] != nil {", "false {"},
		{"examples of media types stay", "document.go", `made["example"] = lower(`, `_ = lower(`},
		{"a version has all media types", "document.go", "case !has:", "case !has && false:"},
		{"the body stays with 204", "documentrequest.go", `delete(response, "content")`, ""},
		{"bodies of two statuses are one", "documentrequest.go", `!reflect.DeepEqual(schemasOf(there), schemasOf(response))`, "false"},
		{"parameters of the path are lost", "documentrequest.go", `operation["parameters"] = append(slices.Clip(own), p)`, "_ = slices.Clip(own)"},
	} {
		t.Run(mutant.name, func(t *testing.T) {
			path, err := filepath.Abs("../../migrate/" + mutant.file)
			require.NoError(t, err)
			code, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(code), mutant.from), "the place to break is not there once")
			broken := filepath.Join(t.TempDir(), mutant.file)
			require.NoError(t, os.WriteFile(broken, []byte(strings.Replace(string(code), mutant.from, mutant.to, 1)), 0o600))
			overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: broken}})
			require.NoError(t, err)
			list := filepath.Join(t.TempDir(), "overlay.json")
			require.NoError(t, os.WriteFile(list, overlay, 0o600))
			out, err := exec.Command("go", "test", "-vet=off", "-failfast", "-overlay", list, "-run", "OfVersions|InDocuments|OfDocuments|CannotBeFollowed", ".").CombinedOutput()
			assert.Error(t, err, "the proof does not detect it")
			assert.NotContains(t, string(out), "[build failed]")
			assert.Contains(t, string(out), "--- FAIL: Test")
		})
	}
}
