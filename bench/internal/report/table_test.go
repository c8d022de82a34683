package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTable(t *testing.T) {
	table := NewTable("of", "µs")
	table.Add("a name", "1")
	assert.Equal(t, "| of     | µs  |\n|---     |---: |\n| a name | 1   |\n\n", table.String())
}
