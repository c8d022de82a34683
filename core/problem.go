package verso

import "net/http"

// Problem is the body of a refusal: problem details (RFC 9457, section 3).
type Problem struct {
	Type   string `json:"type"`   // URI of the kind of problem
	Title  string `json:"title"`  // short text, the same for all problems of the type
	Status int    `json:"status"` // HTTP status
	Detail string `json:"detail"` // what is wrong with this request
}

// Problem returns the problem details of e. The detail is the message; nothing
// that the client sent is in them.
func (e *Error) Problem() Problem {
	return Problem{
		Type:   "about:blank",
		Title:  http.StatusText(e.Status),
		Status: e.Status,
		Detail: e.Message,
	}
}
