package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReplace(t *testing.T) {
	const begin, end = "<!-- bench: begin -->", "<!-- bench: end -->"
	const others = "# Page\n\n<!-- load: begin -->\n\nof others\n\n<!-- load: end -->\n\n"
	replaced, err := replace(others+begin+"\n\nold\n\n"+end+"\n\nEnd.\n", "bench", "new\n")
	require.NoError(t, err)
	assert.Equal(t, others+begin+"\n\nnew\n\n"+end+"\n\nEnd.\n", replaced)

	_, err = replace(others, "bench", "new\n")
	assert.ErrorContains(t, err, "no place for the tables")
}
