package verso

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
)

// Problem is the body of a refusal: problem details (RFC 9457, section 3), with
// the extension members code and allowed_versions. Nothing that the client sent
// is in it.
type Problem struct {
	Type   string `json:"type"`   // URI of the kind of problem: [ProblemInvalidVersion] or another
	Title  string `json:"title"`  // the kind of problem, in the client's language
	Status int    `json:"status"` // HTTP status
	Detail string `json:"detail"` // the message, in the client's language

	// Code tells programs what is wrong.
	Code MessageID `json:"code"`

	// AllowedVersions are the versions that the service serves, none for an
	// unknown host. RFC 9110, section 15.5.7, asks that a refusal with 406
	// says what there is. All refusals share the slice: appending is safe,
	// changing an element is not.
	AllowedVersions []string `json:"allowed_versions,omitempty"`
}

// The types of problems. The URIs lead to their description.
const (
	ProblemInvalidVersion        = "https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version"
	ProblemNotAcceptable         = "https://github.com/goverso/verso/blob/main/docs/problems.md#not-acceptable"
	ProblemContradictingVersions = "https://github.com/goverso/verso/blob/main/docs/problems.md#contradicting-versions"
	ProblemEmptyVersion          = "https://github.com/goverso/verso/blob/main/docs/problems.md#empty-version"
	ProblemUnknownHost           = "https://github.com/goverso/verso/blob/main/docs/problems.md#unknown-host"
)

// Problem returns the problem details of a refusal. With a translator they are
// in the language that suits the request's Accept-Language best, which the
// response then names in Content-Language, and Accept-Language in Vary.
func (v *Versioning) Problem(refusal *Error, request, response http.Header) Problem {
	var messages map[MessageID]string
	if v.config.Translator != nil {
		AddVary(response, "Accept-Language")
		var language string
		language, messages = v.config.Translator.Messages(request["Accept-Language"])
		if isLanguageTag(language) {
			response.Set("Content-Language", language)
		}
	}
	problemType, title, allowed := ProblemInvalidVersion, TitleInvalidVersion, v.allowed
	switch refusal.MessageID {
	case NotAcceptable:
		problemType, title = ProblemNotAcceptable, TitleNotAcceptable
	case ContradictingVersions:
		problemType = ProblemContradictingVersions
	case EmptyVersion:
		problemType = ProblemEmptyVersion
	case UnknownHost: // no version would help
		problemType, title, allowed = ProblemUnknownHost, TitleUnknownHost, nil
	}
	return Problem{
		Type:            problemType,
		Title:           cmp.Or(messages[title], english[title]),
		Status:          refusal.Status,
		Detail:          cmp.Or(messages[refusal.MessageID], refusal.Message),
		Code:            refusal.MessageID,
		AllowedVersions: allowed,
	}
}

// isLanguageTag reports whether text, which a translator of the user's returned,
// can stand in a header as a language tag (RFC 5646, section 2.1): letters,
// digits and hyphens.
func isLanguageTag(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-':
		default:
			return false
		}
	}
	return text != ""
}

// WriteProblem writes problem details as the response: the status, the
// Content-Type application/problem+json and, unless the request's method is
// HEAD, the body.
func WriteProblem(w http.ResponseWriter, r *http.Request, problem Problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	if r.Method == http.MethodHead {
		w.WriteHeader(problem.Status)
		return
	}
	body, _ := json.Marshal(problem) // text and numbers: it cannot fail
	w.WriteHeader(problem.Status)
	_, _ = w.Write(body) // a client that has gone is the server's business
}

// allowedVersions returns the versions to name in problem details.
func allowedVersions(settings Settings) []string {
	allowed := slices.Clone(settings.AllowedVersions)
	if v := settings.DefaultVersion; len(allowed) > 0 && !v.IsNone() && !slices.Contains(allowed, v.String()) {
		allowed = append(allowed, v.String())
	}
	return slices.Clip(allowed) // who appends to that of a refusal gets a copy
}
