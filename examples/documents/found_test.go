package documents_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type (
	account interface{ isAccount() }
	iban    struct {
		Type string `json:"type"`
	}
	holder struct {
		Account account `json:"account"`
	}
)

func (iban) isAccount() {}

// TestKeywordsOfUnion: null takes a keyword of a member away that is one of several structs.
func TestKeywordsOfUnion(t *testing.T) {
	h := verso.Must(migrate.New(twoVersions(), migrate.OneOf[account]("type", migrate.Variant[iban]("iban")),
		migrate.Release("v2", migrate.Changed("x", migrate.For[holder](migrate.Documented("account", `{"discriminator":null}`)))), migrate.Release("v1")))
	text, err := v1(t, "3.0.3", `"/x":{"get":{`+jsonOf(`{"type":"object","properties":{"account":{"oneOf":[{"$ref":"#/components/schemas/Iban"}],"discriminator":{"propertyName":"type","mapping":{"iban":"#/components/schemas/Iban"}}}}}`)+`}}`,
		`"schemas":{"Iban":{"type":"object","properties":{"type":{"type":"string","enum":["iban"]}}}}`, map[string]verso.Rewriter{"GET /x": h.Route(migrate.Returns[holder]())})
	require.NoError(t, err)
	assert.Contains(t, text, `"account":{"oneOf":[{"$ref":"#/components/schemas/Iban"}]}`)
}
