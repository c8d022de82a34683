package adapter

import (
	"cmp"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/roster"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/source"
)

// answer returns the answer to a rejected request, with a translator in the language
// that suits the request's Accept-Language best. It is made once for each rejection
// and language.
func (v *engine) answer(r *source.Request, rejected *verso.Error, rejection *source.Rejection, lists *catalogue.Lists) *verso.Answer {
	if v.config.Translator == nil {
		return v.answers.in("", nil, rejected, rejection, lists)
	}
	accepted, _ := r.Header("Accept-Language")
	language, messages := v.config.Translator.Messages(accepted)
	if !isLanguageTag(language) {
		return v.answers.build("", messages, rejected, lists)
	}
	return v.answers.in(language, messages, rejected, rejection, lists)
}

// answers are the answers to rejections that were made already.
type answers struct {
	allowed []string // the versions in problem details
	hidden  bool     // they are left out
	vary    []string
	made    sync.Map // of answerKey to *Answer
	count   atomic.Int32
}

// answerKey is what an answer depends on.
type answerKey struct {
	rejection         *source.Rejection
	status            int
	lists             *catalogue.Lists
	sunset, successor string
	language          string
}

// maxAnswers bounds how many answers are stored, in case a user's translator returns the
// client's own text as a language.
const maxAnswers = 4096

func newAnswers(v *engine) *answers {
	a := new(answers)
	if a.hidden = v.config.HideAllowedVersions; !a.hidden {
		a.allowed = slices.Clip(v.set.Known) // appending makes a copy
	}
	if v.config.Translator != nil {
		a.vary = []string{"Accept-Language"}
	}
	return a
}

// in returns the answer in a language.
func (a *answers) in(language string, messages map[verso.MessageID]string, rejected *verso.Error, rejection *source.Rejection, lists *catalogue.Lists) *verso.Answer {
	key := answerKey{rejection, rejected.Status, lists, rejected.Sunset, rejected.Successor, language}
	if made, ok := a.made.Load(key); ok {
		return made.(*verso.Answer)
	}
	answer := a.build(language, messages, rejected, lists)
	if rejection != nil && a.count.Add(1) <= maxAnswers {
		a.made.Store(key, answer)
	}
	return answer
}

// build makes an answer.
func (a *answers) build(language string, messages map[verso.MessageID]string, rejected *verso.Error, lists *catalogue.Lists) *verso.Answer {
	allowed := a.allowed
	switch {
	case rejected.MessageID == verso.UnknownHost, rejected.MessageID == verso.RouteGone: // no version would help
		allowed = nil
	case lists != nil && !a.hidden:
		allowed = lists.Allowed
	}
	if more := len(allowed) - roster.MaxNamed; more > 0 {
		allowed = allowed[more:]
	}
	title := verso.ProblemTitle(rejected.MessageID)
	problem := verso.Problem{
		Type: verso.ProblemURI(rejected.MessageID), Title: cmp.Or(messages[title], texts[title]),
		Status: rejected.Status, Code: rejected.MessageID, Detail: cmp.Or(messages[rejected.MessageID], rejected.Message),
		AllowedVersions: allowed, Sunset: rejected.Sunset, Successor: rejected.Successor,
	}
	body, _ := json.Marshal(problem) // text and numbers: it cannot fail
	return &verso.Answer{Problem: problem, Body: body, Language: language, Vary: a.vary}
}

// isLanguageTag reports whether a tag, which a translator of the user's returned,
// can be in a header as a language tag (RFC 5646, section 2.1): letters, digits
// and hyphens.
func isLanguageTag(tag string) bool {
	return text.All(tag, func(c byte) bool { return c == '-' || text.IsAlphanumeric(c) })
}
