package mediatype_test

import (
	"fmt"
	"slices"

	"github.com/goverso/verso/core/mediatype"
)

// known are the versions of a service, the newest first.
type known []string

func (k known) Rank(version string) (rank int, ok bool) {
	rank = slices.Index(k, version) // version comes from the client: only compare it with known strings
	return rank, rank >= 0
}

func (k known) Len() int { return len(k) }

func ExampleTemplate_Negotiate() {
	template, err := mediatype.ParseTemplate("application/vnd.acme.{version}+json")
	if err != nil {
		panic(err)
	}
	produced, err := mediatype.NewNegotiator("application/json")
	if err != nil {
		panic(err)
	}
	versions := known{"v3", "v2", "v1"}
	for _, accept := range []string{
		"application/vnd.acme.v9+json, application/vnd.acme.v2+json;q=0.5",
		"application/json",
		"*/*, application/vnd.acme.v1+json;q=0",
	} {
		rank, outcome := template.Negotiate(accept, versions, produced, 2)
		if outcome == mediatype.Named {
			fmt.Println(outcome, versions[rank])
		} else {
			fmt.Println(outcome)
		}
	}
	// Output:
	// Named v2
	// Unnamed
	// NotAcceptable
}
