package adapter_test

import (
	"fmt"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// spelled is a rewriter of parameters.
type spelled struct {
	verso.Rewriter
	verso.Binder
}

func (s spelled) ForBinder(b verso.Binder) verso.Rewriter {
	s.Binder = b
	return s
}

// An adapter says how the binder of its framework reads parameters.
func ExampleSeam_Bound() {
	seam := adapter.Seam[*http.Request, http.Handler]{Binder: verso.Binder{IgnoresCase: true}} // and its functions
	fmt.Println(seam.Bound(spelled{}).(spelled).IgnoresCase)
	// Output: true
}
