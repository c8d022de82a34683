// Package generated has the documents that the services of this module are generated
// from.
package generated

import _ "embed"

// V1 and V2 are the documents of the versions.
var (
	//go:embed v1.yaml
	V1 []byte
	//go:embed v2.yaml
	V2 []byte
)
