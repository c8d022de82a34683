package adapter_test

import (
	"errors"
	"fmt"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// badBody is the error of a rewriter for a body that it cannot read.
type badBody struct{ error }

func (badBody) Problem() verso.Problem { return verso.Problem{Status: 400, Detail: "Malformed body."} }

// The error handler of the service answers what cannot be rewritten, if there is one.
func ExampleSeam_Refuse() {
	for _, own := range []bool{true, false} {
		seam := adapter.Seam[*http.Request, http.Handler]{OwnAnswers: own, // and its functions
			Reject: func(_ *http.Request, rejected *verso.Error, _ *verso.Answer) error { return rejected }}
		fmt.Println(seam.Refuse(nil, badBody{}, errors.New("left to the framework")))
	}
	// Output:
	// Malformed body.
	// left to the framework
}
