package verso_test

import (
	"errors"
	"fmt"

	verso "github.com/goverso/verso/core"
)

// An adapter answers what a Rewriter refuses.
func ExampleAnswerFor() {
	answer := verso.AnswerFor(errors.New("the cause, which no client sees"))
	fmt.Println(answer.Problem.Status, string(answer.Body))
	fmt.Println(answer.Rejected(errors.New("the cause")) == nil) // it is not about the request

	err := tooLong{}
	rejected := verso.AnswerFor(err).Rejected(err)
	fmt.Println(rejected.StatusCode(), rejected, errors.Is(rejected, err))
	// Output:
	// 500 {"type":"about:blank","title":"Internal Server Error","status":500,"detail":"Internal Server Error","code":"internal_server_error"}
	// true
	// 400 the name is too long true
}

// tooLong is why a Rewriter rejects a request.
type tooLong struct{}

func (tooLong) Error() string { return "too long: the cause, for the log" }

func (tooLong) Problem() verso.Problem {
	return verso.Problem{Type: "about:blank", Title: "Bad Request", Status: 400, Detail: "the name is too long", Code: "invalid_value"}
}
