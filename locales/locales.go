// Package locales has the messages of Verso's rejections in many languages, and
// chooses the language that suits a client best:
//
//	translator, err := locales.New()
//	...
//	api, err := verso.NewURLPath(verso.Config{AllowedVersions: versions, Translator: translator})
//
// The translations are message files of go-i18n, one a language, embedded in
// the program. [WithFS] adds those of the service: further languages, or other
// words for single messages. A message that is not translated into a language
// is sent in English, message by message.
//
// # Choice of a language
//
// The Accept-Language header is read as RFC 9110, section 12.5.4, describes
// it, and each of its language ranges is looked up as in RFC 4647, section
// 3.4: "de-CH-1996" finds "de-CH" or else "de". In particular:
//
//   - The range with the highest q wins, the first of several with the same.
//   - q=0 excludes a language and those more specific than it. A range with a
//     q above 0 that names such a language as closely includes it again.
//   - "*" is the default language, unless another range names or excludes it.
//   - A script must be right: "az-Cyrl" does not find "az", which is written
//     in Latin letters, while "az-Latn" does.
//   - Some ranges find a translation that truncation would miss or mistake:
//     "zh-TW", "zh-HK", "zh-MO" and "yue" find "zh-Hant", other Chinese
//     "zh-Hans"; "no" and "nn" find "nb"; "sh", "cnr" and "sr-ME" find
//     "sr-Latn"; the former codes "iw", "in", "mo" and "tl" find "he", "id",
//     "ro" and "fil".
//   - What is not a language range is ignored. A q that is not one is taken for
//     none, which is q=1.
//   - A client that names no language that is there, or excludes all that are,
//     gets the default language: an explanation in a foreign language is better
//     than none.
//
// Only the beginning of a header is read: see [MaxBytes] and [MaxRanges].
package locales

import (
	"fmt"
	"slices"

	"golang.org/x/text/language"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
)

// Translator has the messages of rejections in several languages. It does not
// change once it is made and is safe for concurrent use.
type Translator struct {
	translations    []*translation // in the order of their names
	defaultLanguage *translation
	finder          finder
}

// A Translator is what [verso.Config] takes to translate rejections.
var _ verso.Translator = (*Translator)(nil)

// New returns a translator into the languages that come with this package,
// changed by the options. It reads and checks all message files, so that a
// request only looks its language up. It fails when a file of [WithFS] is not
// a message file, with an error that names the file, and when an option names a
// language that is not there.
func New(options ...Option) (*Translator, error) {
	chosen := settings{defaultLanguage: "en"}
	for _, option := range options {
		option(&chosen)
	}
	read := make(texts)
	if err := read.addFS(embedded); err != nil {
		return nil, err
	}
	for _, fsys := range chosen.fileSystems {
		if err := read.addFS(fsys); err != nil {
			return nil, err
		}
	}
	translations, err := chosen.offered(read.translations())
	if err != nil {
		return nil, err
	}
	defaultLanguage, err := find(translations, chosen.defaultLanguage)
	if err != nil {
		return nil, fmt.Errorf("locales: default language: %w", err)
	}
	return &Translator{translations, defaultLanguage, newFinder(translations)}, nil
}

// offered returns the translations that [WithLanguages] asks for.
func (s *settings) offered(translations []*translation) ([]*translation, error) {
	if len(s.languages) == 0 {
		return translations, nil
	}
	wanted := make(map[*translation]bool, len(s.languages))
	for _, tag := range s.languages {
		t, err := find(translations, tag)
		if err != nil {
			return nil, fmt.Errorf("locales: offered languages: %w", err)
		}
		wanted[t] = true
	}
	return slices.DeleteFunc(translations, func(t *translation) bool { return !wanted[t] }), nil
}

// find returns the translation into a language that an option names.
func find(translations []*translation, name string) (*translation, error) {
	tag, err := language.Parse(name)
	if err != nil {
		return nil, fmt.Errorf("%q is not a language tag (BCP 47)", name)
	}
	for _, t := range translations {
		if t.tag == tag {
			return t, nil
		}
	}
	return nil, fmt.Errorf("%q is not among the languages offered: add a message file with WithFS, or name another language", name)
}

// Messages returns the messages in the language that suits a client best, and
// the tag of that language. The text is the client's Accept-Language header, its
// lines joined by ", ". The map has all messages: those that are not translated
// are in English. All calls share the map: callers must not modify it.
func (t *Translator) Messages(acceptLanguage string) (language string, messages map[verso.MessageID]string) {
	chosen := t.choose(acceptLanguage)
	return chosen.name, chosen.messages
}

// choose returns the translation for an Accept-Language header.
func (t *Translator) choose(acceptLanguage string) *translation {
	var buffer [MaxRanges]languageRange
	ranges := readRanges(buffer[:0], acceptLanguage)

	best, bestWeight := t.defaultLanguage, 0
	for i := range ranges {
		r := &ranges[i]
		if r.weight <= bestWeight {
			continue
		}
		var found *translation
		if r.isWildcard() {
			found = t.defaultUnlessNamed(ranges)
		} else {
			found = t.finder.find(r, ranges)
		}
		if found != nil {
			best, bestWeight = found, r.weight
		}
		if bestWeight == mediatype.MaxWeight {
			break
		}
	}
	return best
}

// defaultUnlessNamed returns the default language, or nil when a range other
// than "*" names or excludes it: "*" means all languages that no other range
// matches.
func (t *Translator) defaultUnlessNamed(ranges []languageRange) *translation {
	for i := range ranges {
		if r := &ranges[i]; !r.isWildcard() && t.finder.names(r, t.defaultLanguage) {
			return nil
		}
	}
	return t.defaultLanguage
}

// Languages returns the tags of the languages that the translator offers, in
// alphabetical order.
func (t *Translator) Languages() []string {
	tags := make([]string, 0, len(t.translations))
	for _, offered := range t.translations {
		tags = append(tags, offered.name)
	}
	return tags
}
