package documents_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/rewrite/shop"
	"github.com/goverso/verso/openapi"
)

// TestShopOfVersions proves the documents of a service with four versions, and compares the
// oldest one and the changelog, which come from the same history, with files.
func TestShopOfVersions(t *testing.T) {
	_, v, history := shop.New()
	service := v.Explain()
	document, err := openapi3.NewLoader().LoadFromFile("../rewrite/shop/openapi.yaml")
	require.NoError(t, err)
	proveAll(t, map[string]reflect.Type{
		"Order": reflect.TypeFor[shop.Order](), "Page": reflect.TypeFor[shop.Page[shop.Order]](), "Line": reflect.TypeFor[shop.Line](),
		"Customer": reflect.TypeFor[shop.Customer](), "Problem": reflect.TypeFor[verso.Problem](),
	}, document, history, service)

	oldest, err := openapi.ForVersion(document, service, "v1")
	require.NoError(t, err)
	raw, err := json.MarshalIndent(oldest, "", "  ")
	require.NoError(t, err)
	var changelog strings.Builder
	require.NoError(t, history.Changelog(service).Markdown(&changelog))
	for file, got := range map[string]string{"openapi-v1.json": string(raw) + "\n", "CHANGELOG.md": changelog.String()} {
		path := "../rewrite/shop/testdata/" + file
		if os.Getenv("VERSO_UPDATE") != "" {
			require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), got, "set VERSO_UPDATE=1 to write it")
	}
}
