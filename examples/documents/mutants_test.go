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

// TestMutants breaks the maker of documents in one place at a time, and requires that the proof detects it.
// Without VERSO_MUTANTS it only requires that each place is there.
func TestMutants(t *testing.T) {
	for _, mutant := range []struct{ name, file, from, to string }{
		{"a rename stays", "edit.go", "o.Properties[old] = o.Take(name)", "o.Properties[name] = o.Take(name)"},
		{"what was added stays required", "internal/openapi/object.go", "delete(o.Properties, name)", "p.Schema = nil"},
		{"a removed member is required", "edit.go", "Required: o.IsRead && isEmpty == nil", "Required: isEmpty == nil"},
		{"new values stay", "internal/openapi/object.go", "raw, err := fn(in)", "raw, err := in[0], error(nil)"},
		{"another type stays", "edit.go", "o.Mapped(p.Schema, e.old, e.down)", "o.Mapped(p.Schema, nil, e.down)"},
		{"null is forgotten", "internal/openapi/object.go", "o.Nullable(made, nullable)", "o.Nullable(made, nullable && false)"},
		{"a split text is a number", "split.go", "\"string\"}\n\t\t\tif one", "\"integer\"}\n\t\t\tif one"},
		{"a part of a text is a number", "split.go", "\"string\"}\n\t\t\t\tif example, ok := own", "\"integer\"}\n\t\t\t\tif example, ok := own"},
		{"a split text is optional", "split.go", "Required: first.Required || second.Required", "Required: false"},
		{"the object inside stays", "nested.go", "object := o.Take(name)", "object := o.Properties[name]"},
		{"names inside are taken for old ones", "nested.go", "made := inner[oldToInside[old]]", "made := inner[old]\n\t\t\t\tif made == nil {\n\t\t\t\t\tmade = &openapi.Property{Schema: map[string]any{}}\n\t\t\t\t}"},
		{"a default stays required", "edit.go", "Decoded(raw)), false", "Decoded(raw)), p.Required"},
		{"edits of a version too few", "internal/documents/schema.go", "l.listed(given, t, l.edits.Lacked(t), place)", "l.listed(given, t, l.edits.Lacked(t)[:0], place)"},
		{"the schemas of lists stay", "internal/documents/schema.go", `s[key] = l.schema(inner, t.Elem(), place+"/"+key)`, "_ = inner"},
		{"parts of allOf replace each other", "internal/openapi/schema.go", `p.Schema = map[string]any{"allOf": []any{there.Schema, p.Schema}}`, ""},
		{"conditions stay", "internal/documents/schema.go", "ok && !isOfNames {", "ok && !isOfNames && false {"},
		{"copies are never the same", "internal/openapi/merge.go", "same[ref] = first[in]", "same[ref] = ref"},
		{"webhooks do not count", "internal/openapi/document.go", `c.visitWebhooks(visit)`, ""},
		{"mappings do not count", "internal/openapi/document.go", `ok && key == "mapping"`, `false`},
		{"a copy takes the name of what stays", "internal/openapi/merge.go", "|| reached[to]", ""},
		{"parts of paths do not count", "internal/openapi/document.go", `c.Operations[whole[1:]] != nil && err == nil {`, "false {"},
		{"what passes does not", "internal/declared/bodies.go", `case b.Is[Passes(own)], own`, `case own`},
		{"any type is none", "internal/declared/bodies.go", "b.Is[AnyType] || message.IsJSON", "message.IsJSON"},
		{"media types replace each other", "internal/documents/bodies.go", "content[older] != nil {", "false {"},
		{"examples of media types stay", "internal/openapi/operation.go", `made["example"] = lower(`, `_ = lower(`},
		{"a version has all media types", "internal/documents/bodies.go", "case !has:", "case !has && false:"},
		{"the body stays with 204", "status.go", `delete(response, "content")`, ""},
		{"bodies of two statuses are one", "status.go", `!reflect.DeepEqual(schemasOf(there), schemasOf(response))`, "false"},
		{"parameters of the path are lost", "internal/documents/request.go", `operation["parameters"] = append(slices.Clip(own), p)`, "_ = slices.Clip(own)"},
	} {
		t.Run(mutant.name, func(t *testing.T) {
			path, err := filepath.Abs("../../migrate/" + mutant.file)
			require.NoError(t, err)
			code, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(code), mutant.from), "the place to break is not there once")
			if os.Getenv("VERSO_MUTANTS") == "" { // it compiles the package several times
				return
			}
			broken := filepath.Join(t.TempDir(), filepath.Base(mutant.file))
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
