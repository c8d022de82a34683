// Package locales translates the messages for rejected requests into many languages,
// and chooses the language that suits a client best:
//
//	translator, err := locales.New()
//	...
//	api, err := verso.New(verso.PathParam("version"), verso.Config{AllowedVersions: versions, Translator: translator})
//
// The translations are message files of go-i18n, one per language, embedded in the
// program. [WithFS] adds those of the service: more languages, or other texts for
// single messages. Each message that a language lacks is sent in English. A service
// with a bundle of go-i18n loads [Files] into it, and uses [FromBundle].
//
// # Choice of a language
//
// The Accept-Language header is read as in RFC 9110, section 12.5.4, and each of
// its language ranges is looked up as in RFC 4647, section 3.4: "de-CH-1996" finds
// "de-CH" or else "de". In particular:
//
//   - The range with the highest q wins; of several with the same q, the first.
//   - q=0 excludes a language and all more specific ones. A range with a q above 0
//     that is at least as specific includes such a language again.
//   - "*" is the default language, unless another range names or excludes it.
//   - A script must match: "az-Cyrl" does not find "az", which is written in Latin
//     letters, but "az-Latn" does.
//   - Some ranges find a translation that truncation would miss or confuse:
//     "zh-TW", "zh-HK", "zh-MO" and "yue" find "zh-Hant", other Chinese
//     "zh-Hans"; "no" and "nn" find "nb"; "sh", "cnr" and "sr-ME" find
//     "sr-Latn"; the deprecated codes "iw", "in", "mo" and "tl" find "he", "id",
//     "ro" and "fil".
//   - An element that is not a language range is ignored. An invalid q means q=1.
//   - If the client names no available language, or excludes all of them, the
//     default language is used: a message in a foreign language is better than no
//     message.
//
// Only the beginning of a header is read: see [MaxBytes] and [MaxRanges].
package locales

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
)

// Translator has the messages for rejected requests in several languages. [New] returns one;
// the zero Translator is not valid. It is immutable and safe for concurrent use.
type Translator struct {
	translations    []*translation // in the order of their names
	defaultLanguage *translation
	finder          finder
}

// [verso.Config] has a Translator.
var _ verso.Translator = (*Translator)(nil)

// New returns a translator for the languages of this package, changed by the
// options. It reads the message files of the languages that it offers, so that a request
// only looks up its language. It fails when a file of [WithFS] is not a valid message file, with an
// error that names the file, and when an option names a language that is not
// available.
func New(options ...Option) (*Translator, error) {
	chosen := settings{defaultLanguage: "en", formats: map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal,
		"json": json.Unmarshal}}
	for i, option := range options {
		if option == nil {
			return nil, fmt.Errorf("locales: option %d is nil: remove it", i+1)
		}
		option(&chosen)
	}
	read, err := chosen.embedded()
	if err != nil {
		return nil, err
	}
	for _, fsys := range chosen.fileSystems {
		if err := read.addFS(fsys, chosen.formats); err != nil {
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

// embedded reads the files of the package: those of the languages that an option names,
// and of what these fall back to.
func (s *settings) embedded() (texts, error) {
	read := make(texts)
	if len(s.languages) == 0 {
		return read, read.addAllEmbedded()
	}
	for _, name := range append([]string{"en", s.defaultLanguage}, s.languages...) {
		tag, err := language.Parse(name)
		for ; err == nil && tag != language.Und; tag = tag.Parent() { // find reports the error
			if err := read.addEmbedded(tag); err != nil {
				return nil, err
			}
		}
	}
	return read, nil
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

// find returns the translation for a language that an option names.
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
	return nil, fmt.Errorf("%q is not among the languages offered: "+
		"add a message file with WithFS, or name another language", name)
}

// Messages returns the messages in the language that suits a client best, and the
// tag of that language. acceptLanguage is the client's Accept-Language header, its
// lines joined by ", ". The map lacks the messages that are not translated: Verso sends
// those in English. Callers must not modify the map, which all calls share.
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
