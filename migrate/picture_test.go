package migrate_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// The comment of the rewriter shows this state.
func TestTheStateOfARewriter(t *testing.T) {
	type person struct {
		ID    int      `json:"id"`
		First string   `json:"first"`
		Last  string   `json:"last"`
		Tags  []string `json:"tags"`
	}
	h := changed(t, migrate.For[person](migrate.Split("name", "first", "last",
		func(name string) (string, string, error) { return name, "", nil },
		func(first, last string) (string, error) { return first + " " + last, nil })))
	assert.Equal(t, `out {"id":1,"tags":["x" stack 2 marks [true true false true false] slots ["\"Ada\"" ""] texts "Ada"`,
		h.StateAfter(verso.V("v1"), reflect.TypeFor[person](), `{"id":1,"first":"Ada","tags":["x"`))
}
