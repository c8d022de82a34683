package conformance

import (
	"net/http"
	"strings"
)

// asking is a request of a [decision].
type asking struct {
	name, version, set, method string
	shown                      string // a field of the response
	kept, preflight, body      bool
	request                    request
	want                       string // perhaps several answers, separated by "or"
}

// parseAsking reads a line of a sheet. Its words are short, since a sheet with many lines is
// read as a table.
func parseAsking(text string) *asking {
	name, want, _ := strings.Cut(text, ": ")
	a, words := &asking{name: name, want: want}, strings.Fields(name)
	a.request = get(words[1], "")
	a.request.Method = words[0]
	for _, word := range words[2:] {
		kind, text, _ := strings.Cut(word, ":")
		switch {
		case kind == "set":
			a.set = text
		case kind == "method":
			a.method = text
			a.request.Headers[methodField] = []string{text}
		case kind == "host":
			a.request.Host = &text
		case kind == "accept":
			a.request.Headers["Accept"] = []string{text}
		case kind == "stop":
			a.request.Headers[stopField] = []string{text}
		case kind == "caller":
			a.request.Headers[callerField] = []string{text}
		case kind == "show":
			a.shown = text
		case word == "kept":
			a.kept = true
			a.request.Headers[keepServed] = []string{"1"}
		case word == "skip":
			a.request.Headers[skippedField] = []string{"1"}
		case word == "refuse":
			a.request.Headers[refuseField] = []string{"1"}
		case word == "body":
			a.body = true
		case word == "preflight":
			a.preflight = true
			a.request.Headers["Origin"], a.request.Headers["Access-Control-Request-Method"] = []string{"https://example.com"}, []string{http.MethodGet}
		// A misspelt word ends up as a version and fails, which is how it is noticed.
		default:
			a.version = word
			a.request.Headers["Api-Version"] = []string{word}
		}
	}
	return a
}

// settle reports whether an answer is wanted, which then is the only wanted one. Frameworks
// differ where no rule exists, such as the status of a method that no route has. The answer
// that one gives must then be consistent in all variants.
func (a *asking) settle(got string) bool {
	for want := range strings.SplitSeq(a.want, " or ") {
		before, after, anything := strings.Cut(want, "*")
		if got == want || anything && strings.HasPrefix(got, strings.TrimSuffix(before, " ")) && strings.HasSuffix(got, after) {
			a.want = want
			return true
		}
	}
	return false
}

// isExempt reports whether there is nothing to decide: for a neutral route, for a preflight
// without a version, and without a route. For these the source must not even be read: a health
// check must not depend on a header.
func (a *asking) isExempt() bool {
	return strings.HasPrefix(a.want, "200 none") || a.want == "204" || a.want == "405"
}

func (a *asking) isServed() bool { return a.want[0] == '2' }

// decided returns the version in which the check of the route decides to serve the
// request.
func (a *asking) decided() string {
	if words := strings.Fields(a.want); len(words) > 1 && words[1] != "*" {
		return words[1]
	}
	return a.version
}

// The fields that a line asks for.
const (
	callerField    = "X-Caller"    // by which middleware knows a caller
	keepServed     = "X-Internal"  // of a request exempt from sunsets
	skippedField   = "X-Skip"      // of a request that Middleware leaves alone
	methodField    = "X-Method"    // that middleware sets
	refuseField    = "X-Refuse"    // of a request that [Shouting] refuses
	rewritingField = "X-Rewriting" // that it adds to a request
	rewrittenField = "X-Rewritten" // and to a response
)
