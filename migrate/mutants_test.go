package migrate_test

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

// TestMutants breaks the module in one place at a time, and requires that the tests detect it.
// Without VERSO_MUTANTS it only requires that each place is there.
func TestMutants(t *testing.T) {
	for _, mutant := range []struct{ name, file, from, to, tests string }{
		{"no drop set", "internal/rewrite/plan.go", "case o.Reserved[spelled]:", "case false:", "Cases|RandomHistories"},
		{"no fold", "internal/jsontext/find.go", "func Fold(name string) string {", "func Fold(name string) string {\n\tif name != \"\" {\n\t\treturn name\n\t}", "Cases|RandomHistories"},
		{"fold of ASCII only", "internal/jsontext/find.go", "next := unicode.SimpleFold(r)", "next := unicode.SimpleFold(r)\n\t\t\tif next > 127 || r > 127 {\n\t\t\t\treturn unicode.ToUpper(r)\n\t\t\t}", "Cases"},
		{"edits in the wrong order", "internal/plans/plan.go", "slices.Reverse(lacked)", "_ = lacked", "Cases|RandomHistories"},
		{"edits of a version too many", "internal/plans/plan.go", "c.Edits.After(t, c.index)", "c.Edits.After(t, c.index+1)", "Cases|RandomHistories"},
		{"no End", "internal/exchange/response.go", "\tcase w.how == lowered && w.held.Len() > 0:\n\t\tw.sendHeld()\n", "", "ResponsesAreLowered"},
		{"no cut", "internal/exchange/response.go", "panic(http.ErrAbortHandler)", "return nil", "FailsLate"},
		{"no deadline", "internal/exchange/response.go", "SetWriteDeadline(time.Unix(1, 0))", "SetWriteDeadline(time.Time{})", "FailsLate"},
		{"spellings are not counted", "internal/rewrite/rewriter.go", "*was && !r.Ours", "*was && false", "Cases"},
		{"children are not rewritten", "internal/rewrite/rewriter.go", "!m.Next.Same", "false", "Cases|RandomHistories"},
		{"made twice", "internal/rewrite/rewriter.go", "\tif *out {\n\t\treturn nil\n\t}\n", "", "Cases|RandomHistories"},
		{"a value is skipped from its middle", "internal/rewrite/rewriter.go", "r.setApart(true)\n\treturn nil", "err := r.dec.SkipValue()\n\tif err == nil {\n\t\tf.named, f.m = false, nil\n\t}\n\treturn err", "RandomHistories"},
		{"PUT fills", "internal/declared/bodies.go", "method == http.MethodPut && !b.Is[Replaces]", "method == http.MethodPut && false", "RequestsAreLifted"},
		{"a merge patch is JSON", "internal/message/mediatype.go", `"application/merge-patch+json"`, `"application/x-merge-patch+json"`, "RequestsAreLifted"},
		{"tags of other versions match", "internal/exchange/tags.go", "parts[i] += \";\"", "", "EntityTags"},
		{"another type passes as unknown members", "internal/rewrite/rewriter.go", "if r.Strict && r.Ours && f.strange && !f.known && f.n.Object != nil {", "if false {", "NothingNewest"},
		{"another shape passes", "internal/rewrite/rewriter.go", "if r.Strict && kind != 'n' && kind > 0 {", "if false {", "NothingNewest"},
		{"another type passes", "internal/exchange/edition.go", "\treturn nil, refused\n}", "\treturn nil, passed\n}", "NothingNewest"},
		{"the header of the request is changed", "internal/exchange/response.go", "w.request.Header = w.outer", "", "HeaderStays"},
		{"a held value has no bound", "internal/rewrite/text.go", "MaxHeld-len(i.dec.UnreadBuffer())", "1<<40", "HeldValueIsBounded"},
		{"a long string is cut anywhere", "internal/rewrite/text.go", "case characters(begun[1:]) == len(begun)-1:", "case true:", "LongStrings"},
		{"a long string is not checked", "internal/rewrite/text.go", "isValid := jsontext.IsValid(s.piece, i.options()...)", "isValid := jsontext.IsValid([]byte(`1`))", "LongValues"},
		{"a panic ends the process", "internal/rewrite/error.go", "switch cause := recover(); cause {", "switch cause := any(nil); cause {", "APanicInAChange"},
		{"white space is read again", "internal/exchange/response.go", "w.rewriter.Blanks()", `""`, "HeartbeatsAreReadOnce"},
		{"a held value is read again", "internal/rewrite/rewriter.go", "case errors.Is(err, ErrMore) && len(r.Begun()) >= MinText:", "case false:", "AHeldValueIsReadOnce"},
		{"an embedded type has edits", "internal/shape/member.go", "c.Embedded = append(slices.Clip(outer.Embedded), inner)", "_ = inner", "Mistakes|Route"},
	} {
		t.Run(mutant.name, func(t *testing.T) {
			t.Parallel()
			path, err := filepath.Abs(mutant.file)
			require.NoError(t, err)
			code, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(code), mutant.from), "the place to break is not there once")
			if os.Getenv("VERSO_MUTANTS") == "" { // it compiles the module several times
				return
			}
			broken := filepath.Join(t.TempDir(), filepath.Base(mutant.file))
			require.NoError(t, os.WriteFile(broken, []byte(strings.Replace(string(code), mutant.from, mutant.to, 1)), 0o600))
			overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: broken}})
			require.NoError(t, err)
			list := filepath.Join(t.TempDir(), "overlay.json")
			require.NoError(t, os.WriteFile(list, overlay, 0o600))
			out, err := exec.Command("go", "test", "-vet=off", "-overlay", list, "-run", mutant.tests, ".", "./internal/exchange").CombinedOutput()
			assert.Error(t, err, "no test fails")
			assert.NotContains(t, string(out), "[build failed]")
			assert.Contains(t, string(out), "--- FAIL: Test")
		})
	}
}
