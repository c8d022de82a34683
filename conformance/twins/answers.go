package twins

import verso "github.com/goverso/verso/core"

// Answers is a flag of programs whose configuration has an ErrorHandler. It writes what [Answer] returns, without a
// status, and nothing for "".
const Answers = "answers"

const answered = "answered"

// Answer returns the text for the rejection of a request, "" for every second one.
func Answer(twin string) string {
	if id := idOf(twin); id != "" && id[len(id)-1]%2 == 1 {
		return answered
	}
	return ""
}

// english is a [verso.Translator]: what answers depend on shows in their fields.
type english struct{}

// Messages implements [verso.Translator].
func (english) Messages(string) (string, map[verso.MessageID]string) { return "en", nil }
