package adapter

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/source"
)

// Rejections that do not depend on the source.
var (
	missingVersion = source.Rejection{Status: 400, Message: source.MissingVersion}
	invalidVersion = source.Rejection{Status: 400, Message: source.InvalidVersion}
	notAcceptable  = source.Rejection{Status: 406, Message: source.NotAcceptableMessage}
	contradicting  = source.Rejection{Status: 400, Message: source.ContradictingVersions}
	emptyVersion   = source.Rejection{Status: 400, Message: verso.EmptyVersion}
	unknownHost    = source.Rejection{Status: 421, Message: verso.UnknownHost}

	versionGone        = source.Rejection{Status: 410, Message: verso.VersionGone}
	versionBrownout    = source.Rejection{Status: 410, Message: verso.VersionBrownout}
	routeGone          = source.Rejection{Status: 410, Message: verso.RouteGone}
	notInVersion       = source.Rejection{Status: 404, Message: verso.NotInVersion}
	methodNotInVersion = source.Rejection{Status: 405, Message: verso.MethodNotInVersion}
)

// newError returns the error of a request that a part of the source rejects.
func newError(part string, rejection *source.Rejection, reading *source.Reading) *verso.Error {
	return &verso.Error{
		Source: part, Status: rejection.Status, MessageID: rejection.Message, Message: englishOf(rejection),
		Requested:    strings.Clone(reading.Text),
		HasRequested: reading.Outcome == source.Found || reading.Outcome == source.Contradicting,
	}
}

// englishOf returns the English text of a rejection.
func englishOf(r *source.Rejection) string { return cmp.Or(r.English, texts[r.Message]) }

var texts = verso.EnglishMessages()

// answers are the answers to rejections that were made already.
type answers struct {
	allowed []string // the versions in problem details
	hidden  bool     // they are left out
	vary    []string
	made    sync.Map // of answerKey to *Answer
	count   atomic.Int32

	translator verso.Translator           // nil: there is none
	english    map[verso.MessageID]string // of the translator
}

// answerKey is what an answer is made of, with the messages of its language. Nothing else may
// enter into it, since answers are stored by it.
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

func newAnswers(config *verso.Config, known []string) *answers {
	a := &answers{hidden: config.HideAllowedVersions, translator: config.Translator}
	if !a.hidden {
		a.allowed = slices.Clip(known) // appending makes a copy
	}
	if a.translator != nil {
		a.vary = []string{"Accept-Language"}
		if language, messages := a.translator.Messages(english); language == english {
			a.english = messages
		}
	}
	return a
}

// to returns the answer to a rejected request, with a translator in the language that suits
// the request's Accept-Language best. It is made once for each rejection and language. The caller gets a copy, since an
// error handler of the service may change it.
func (a *answers) to(r *source.Request, rejected *verso.Error, rejection *source.Rejection,
	lists *catalogue.Lists) *verso.Answer {
	key := answerKey{rejection, rejected.Status, lists, rejected.Sunset, rejected.Successor, ""}
	var messages map[verso.MessageID]string
	if a.translator != nil {
		accepted, _ := r.Header("Accept-Language")
		language, translated := a.translator.Messages(accepted)
		isLetter := func(c byte) bool { return c == '-' || text.IsAlphanumeric(c) }
		if !text.All(language, isLetter) { // no language tag: a translator is the user's (RFC 5646, section 2.1)
			return a.build(key, translated)
		}
		key.language, messages = language, translated
	}
	if made, ok := a.made.Load(key); ok {
		return copyOf(made.(*verso.Answer))
	}
	answer := a.build(key, messages)
	if a.count.Add(1) <= maxAnswers {
		a.made.Store(key, answer)
	}
	return copyOf(answer)
}

func copyOf(answer *verso.Answer) *verso.Answer {
	own := *answer
	own.Problem.AllowedVersions = slices.Clone(own.Problem.AllowedVersions)
	return &own
}

// build makes an answer.
func (a *answers) build(key answerKey, messages map[verso.MessageID]string) *verso.Answer {
	message, allowed := key.rejection.Message, a.allowed
	switch {
	case message == verso.UnknownHost, message == verso.RouteGone: // no version would help
		allowed = nil
	case key.lists != nil && !a.hidden:
		allowed = key.lists.Allowed
	}
	allowed = allowed[max(0, len(allowed)-roster.MaxNamed):]
	title := verso.ProblemTitle(message)
	problem := verso.Problem{
		Type: verso.ProblemURI(message), Title: cmp.Or(messages[title], a.english[title], texts[title]),
		Status: key.status, Code: message, Detail: cmp.Or(messages[message], a.english[message],
			englishOf(key.rejection)),
		AllowedVersions: allowed, Sunset: key.sunset, Successor: key.successor,
	}
	body, _ := json.Marshal(problem) // text and numbers: it cannot fail
	language := languageSent(key.language, messages[title] != "", messages[message] != "")
	return &verso.Answer{Problem: problem, Body: body, Language: language, Vary: a.vary}
}

const english = "en"

// languageSent returns the Content-Language of an answer whose title and detail are in a
// language, or in English (RFC 9110, section 8.5).
func languageSent(language string, title, detail bool) string {
	switch isEnglish := language == english || strings.HasPrefix(language, english+"-"); {
	case language == "", isEnglish, title && detail:
		return language
	case title || detail:
		return language + ", " + english
	}
	return english
}
