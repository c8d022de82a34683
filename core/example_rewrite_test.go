package verso_test

import (
	"errors"
	"fmt"

	verso "github.com/goverso/verso/core"
)

// An adapter answers what a Rewriter refuses, and says whether its RewriteErrors is installed.
func ExampleAnswerFor() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}})
	binding := verso.Bind(api, nil)
	binding.NoteRewriteErrors()

	answer := verso.AnswerFor(errors.New("the cause, which no client sees"))
	fmt.Println(answer.Problem.Status, string(answer.Body))
	// Output:
	// 500 {"type":"about:blank","title":"Internal Server Error","status":500,"detail":"Internal Server Error","code":"internal_server_error"}
}
