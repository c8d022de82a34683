package rewrite

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// TestTheStateOfARewriter: the comment of the rewriter shows this state.
func TestTheStateOfARewriter(t *testing.T) {
	name := &Made{Key: jsontext.Key("name"), Value: func(args [][]byte) ([]byte, error) { return args[0], nil }}
	o := &Object{Members: map[string]*Planned{}, Reserved: map[string]bool{"id": true, "name": true, "tags": true}}
	for number, member := range []string{"id", "first", "last", "tags"} {
		m := &Planned{Name: member, Number: number, Key: jsontext.Key(member), Next: &Node{Same: true}, Slot: -1}
		if o.Members[member] = m; member == "first" || member == "last" {
			m.Key, m.Feeds, m.Slot = nil, []*Made{name}, len(name.From)
			name.From = append(name.From, m)
		}
	}
	o.Add(name)
	o.Unmarked, o.Unkept = make([]bool, 5), make([][]byte, 2)
	r := New(&Node{Object: o}, &Source{Reader: io.MultiReader(strings.NewReader(`{"id":1,"first":"Ada","tags":["x"`), waiting{})}, Mode{Ours: true})
	assert.ErrorIs(t, r.Run(0), ErrMore)
	assert.Equal(t, `out {"id":1,"tags":["x" stack 2 marks [true true false true false] slots ["\"Ada\"" ""] texts "Ada"`,
		fmt.Sprintf("out %s stack %d marks %t slots %q texts %s", r.Out, len(r.stack), r.marks, slices.Clone(r.kept), r.texts))
}

// waiting is a response of which more is to come.
type waiting struct{}

func (waiting) Read([]byte) (int, error) { return 0, ErrMore }
