package documents_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type (
	even struct {
		Label string `json:"label"`
		Odd   *odd   `json:"odd"`
	}
	odd struct {
		Label string `json:"label"`
		Even  *even  `json:"even"`
		More  *even  `json:"more"`
	}
)

// TestTypesWithinThemselves: a type whose parts become one is in itself by a name.
func TestTypesWithinThemselves(t *testing.T) {
	edit := migrate.Renamed("text", "label")
	h := historyOf(t, twoVersions(), migrate.For[Chain](edit), migrate.For[even](edit), migrate.For[odd](edit))
	object := func(members string) string {
		return `{"type":"object","properties":{"label":{"type":"string"},` + members + `}}`
	}
	for _, test := range []struct{ name, version, before, after, beside string }{
		{"beside a reference", "3.1.0", "", ``, `"required":["label"]`},
		{"a part of its own", "3.1.0", `"allOf":[{`, `},{"required":["label"]}]`, ""},
		{"a part of its own in OpenAPI 3.0", "3.0.3", `"allOf":[{`, `},{"required":["label"]}]`, ""},
	} {
		to := func(name string) string {
			ref := `"$ref":"#/components/schemas/` + name + `"`
			if test.beside != "" {
				ref += "," + test.beside
			}
			return `{` + test.before + ref + test.after + `}`
		}
		t.Run(test.name, func(t *testing.T) {
			chain := `"schemas":{"Chain":` + object(`"next":`+to("Chain")) + `}`
			text, err := v1(t, test.version, `"/x":{"get":{`+jsonOf(`{"$ref":"#/components/schemas/Chain"}`)+`}}`, chain,
				map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Chain]())})
			require.NoError(t, err)
			assert.Contains(t, text, `"Chain":{"properties":{"next":{"$ref":"#/components/schemas/Chain_v1"},"text":{"type":"string"}}`)
			assert.Contains(t, text, `"Chain_v1":{"properties":{"next":{"$ref":"#/components/schemas/Chain_v1"},"text":{"type":"string"}},"required":["text"]`)
			assert.NotContains(t, text, `"label"`)

			both := `"schemas":{"Even":` + object(`"odd":`+to("Odd")) + `,"Odd":` + object(`"even":`+to("Even")+`,"more":`+to("Even")) + `}`
			text, err = v1(t, test.version, `"/x":{"get":{`+jsonOf(`{"$ref":"#/components/schemas/Even"}`)+`}}`, both,
				map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[even]())})
			require.NoError(t, err)
			assert.Contains(t, text, `"required":["text"]`)
			assert.NotContains(t, text, `"label"`)
		})
	}
	t.Run("a keyword that cannot be followed", func(t *testing.T) {
		chain := `"schemas":{"Chain":` + object(`"next":{"$ref":"#/components/schemas/Chain","unevaluatedProperties":false}`) + `}`
		_, err := v1(t, "3.1.0", `"/x":{"get":{`+jsonOf(`{"$ref":"#/components/schemas/Chain"}`)+`}}`, chain,
			map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[Chain]())})
		assert.ErrorContains(t, err, "#/components/schemas/Chain/properties/next/unevaluatedProperties")
	})
}
