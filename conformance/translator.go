package conformance

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	verso "github.com/goverso/verso/core"
)

// translator is the suite's own translator, for the languages of a case: the
// first one is the default. It marks the English texts with the language:
// "[de] Not acceptable". It matches languages in the plainest way there is.
type translator []string

var _ verso.Translator = translator(nil)

func (t translator) Messages(acceptLanguage []string) (string, map[verso.MessageID]string) {
	language := t.match(strings.Join(acceptLanguage, ","))
	messages := verso.EnglishMessages()
	for id, text := range messages {
		messages[id] = "[" + language + "] " + text
	}
	return language, messages
}

// match looks up the ranges of the header, the highest q first (RFC 4647,
// section 3.4).
func (t translator) match(header string) string {
	type weighted struct {
		tag string
		q   float64
	}
	var wanted []weighted
	for element := range strings.SplitSeq(header, ",") {
		tag, param, found := strings.Cut(strings.TrimSpace(element), ";q=")
		w := weighted{tag, 1}
		if found {
			var err error
			if w.q, err = strconv.ParseFloat(param, 64); err != nil {
				continue
			}
		}
		if w.q > 0 {
			wanted = append(wanted, w)
		}
	}
	slices.SortStableFunc(wanted, func(a, b weighted) int { return cmp.Compare(b.q, a.q) })
	for _, w := range wanted {
		if w.tag == "*" {
			break
		}
		for tag, more := w.tag, true; more; {
			for _, language := range t {
				if strings.EqualFold(language, tag) {
					return language
				}
			}
			dash := strings.LastIndexByte(tag, '-')
			if more = dash >= 0; more {
				tag = tag[:dash]
			}
		}
	}
	return t[0]
}
