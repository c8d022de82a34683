package migrate_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/migrate"
)

func TestProblemsPageHasTheCodes(t *testing.T) {
	page, err := os.ReadFile("../docs/problems.md")
	require.NoError(t, err)
	for code, status := range map[string]string{
		migrate.InvalidBody: "400", migrate.InvalidValue: "400", migrate.UnsupportedMediaType: "415", migrate.UnsupportedEncoding: "415", migrate.BodyTooLarge: "413",
	} {
		assert.Contains(t, string(page), "| `"+code+"` | "+status+" |")
	}
}
