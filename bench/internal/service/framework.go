package service

import (
	"fmt"
	"net/http"

	verso "github.com/goverso/verso/core"
)

// Framework builds services.
type Framework struct {
	Name string

	// Bare returns the service without Verso. Its handler answers with the
	// given version, whatever the request asks for.
	Bare func(s *Scheme, version string) http.Handler

	// Stored returns the service without Verso and with a middleware that
	// keeps the given version in the framework's own store. Its handler
	// answers with what is in the store.
	Stored func(s *Scheme, version string) http.Handler

	// Versioned returns the service with Verso. Its handler answers with the
	// version of the request.
	Versioned func(s *Scheme, translator verso.Translator) http.Handler
}

// Frameworks are those that load is put on.
var Frameworks = []*Framework{InEcho, InGin}

// Named returns the framework of that name. It fails when there is none.
func Named(name string) (*Framework, error) {
	for _, f := range Frameworks {
		if f.Name == name {
			return f, nil
		}
	}
	return nil, fmt.Errorf("there is no framework %q", name)
}
