// Drafted from published documents, to be edited; sha256 6614994a0eaf0bb7f6422a6632d92b5bb965489926bcc632655ae8132b57c706

// Package api has the newest form of the API, and how each of the versions v2, v1 differs from it.
package api

import (
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

var changeV2 = migrate.Changed("TODO: a sentence for the changelog, for clients of v1.",
	migrate.For[Admin](
		// TODO: "title" is "full_title" now: the form and a word are the same. If not, older clients read another value: use Removed and Added
		migrate.Renamed("title", "full_title"),
	),
	// TODO: "name" is "full_name" now: the form and a word are the same. If not, older clients read another value: use Removed and Added
	// TODO: refused: openapi: version "v1": migrate: /paths/~1linked/get/responses/200/links: in v1 this refers to $response.body of another form: describe it in the text
	// migrate.Renamed("name", "full_name"),
	migrate.For[User](
		migrate.Documented("leaf", `{"nullable":null,"properties":{"kind":{"$ref":"#/components/schemas/Kind"}},"type":"object"}`),
		migrate.Removed("leaf,omitempty", (*UserLeafOfV1)(nil)),
	),
)

// History returns the history of the API, whose versions api has.
func History(api *verso.Versioning) (*migrate.History, error) {
	return migrate.New(api,
		migrate.Release("v2", changeV2),
		migrate.Release("v1"))
}
