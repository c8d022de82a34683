package conformance

import (
	"strings"

	verso "github.com/goverso/verso/core"
)

// translator is the suite's own translator, for the languages of a case: the first one
// is the default. It marks the English texts with the language: "[de] Not acceptable".
// It matches languages in the simplest way.
type translator []string

var _ verso.Translator = translator(nil)

// Messages returns all texts, since core asks once and takes what it needs.
func (t translator) Messages(acceptLanguage string) (string, map[verso.MessageID]string) {
	language := t.match(acceptLanguage)
	messages := verso.EnglishMessages()
	for id, text := range messages {
		messages[id] = "[" + language + "] " + text
	}
	return language, messages
}

// match looks up the range of the header with the highest q, comparing the digits of q
// as strings (RFC 4647, section 3.4).
func (t translator) match(header string) string {
	found, highest := t[0], "0"
	for element := range strings.SplitSeq(header, ",") {
		tag, q, _ := strings.Cut(strings.TrimSpace(element), ";q=")
		if q == "" {
			q = "1"
		}
		for tag != "" && q > highest {
			for _, language := range t {
				if tag == "*" || strings.EqualFold(language, tag) {
					found, highest = language, q
					break
				}
			}
			tag = tag[:max(0, strings.LastIndexByte(tag, '-'))]
		}
	}
	return found
}
