// Package locales has the messages of Verso's refusals in many languages, and
// chooses the language that suits a client best:
//
//	translator, err := locales.New()
//	...
//	language, messages := translator.Messages(r.Header["Accept-Language"])
//
// The catalogues are files of go-i18n, one a language, and part of the
// program. [WithFS] adds those of the service: further languages, or other
// words for single messages.
//
// # Choice of a language
//
// The Accept-Language header is read as RFC 9110, section 12.5.4, describes
// it, and each of its language ranges is looked up as in RFC 4647, section
// 3.4: "de-CH-1996" finds "de-CH" or else "de". In particular:
//
//   - The range with the highest q wins, the first of several with the same.
//   - q=0 refuses a language and those more specific than it. A range with a
//     q above 0 that names such a language as closely lets it in again.
//   - "*" is the default language, unless another range names or refuses it.
//   - A script must be right: "az-Cyrl" does not find "az", which is written
//     in Latin letters, while "az-Latn" does.
//   - Ranges without a catalogue of their own that finding by truncation would
//     miss or mistake: "zh-TW", "zh-HK", "zh-MO" and "yue" find "zh-Hant",
//     other Chinese "zh-Hans"; "no" and "nn" find "nb"; "sh", "cnr" and
//     "sr-ME" find "sr-Latn"; the former codes "iw", "in", "mo" and "tl" find
//     "he", "id", "ro" and "fil".
//   - What is not a language range is ignored. A q that is not one counts as
//     none, which is q=1.
//   - Whoever names no language that is there, or refuses all that are, gets
//     the default language: an explanation in a foreign language is better
//     than none.
//
// Only the beginning of a header counts: see [MaxBytes] and [MaxRanges].
package locales

import (
	"fmt"

	"golang.org/x/text/language"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
)

// Translator has the messages of refusals in several languages. It does not
// change once it is made and is safe for concurrent use.
type Translator struct {
	catalogues      []*catalogue // in the order of their names
	defaultLanguage *catalogue
	finder          finder
}

// A Translator is what the adapters take to translate refusals.
var _ verso.Translator = (*Translator)(nil)

// New returns a translator into the languages that come with this package,
// changed by the options. It reads and checks all catalogues, so that a
// request only looks its language up. It fails when a file of [WithFS] is not
// a catalogue, with an error that names the file, and when there is no
// catalogue for a language that an option names.
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
	catalogues, err := chosen.offered(read.catalogues())
	if err != nil {
		return nil, err
	}
	defaultLanguage, err := find(catalogues, chosen.defaultLanguage)
	if err != nil {
		return nil, fmt.Errorf("locales: default language: %w", err)
	}
	return &Translator{catalogues, defaultLanguage, newFinder(catalogues)}, nil
}

// offered returns the catalogues that [WithLanguages] asks for.
func (s *settings) offered(catalogues []*catalogue) ([]*catalogue, error) {
	if len(s.languages) == 0 {
		return catalogues, nil
	}
	wanted := make(map[*catalogue]bool, len(s.languages))
	for _, tag := range s.languages {
		c, err := find(catalogues, tag)
		if err != nil {
			return nil, fmt.Errorf("locales: offered languages: %w", err)
		}
		wanted[c] = true
	}
	var offered []*catalogue
	for _, c := range catalogues {
		if wanted[c] {
			offered = append(offered, c)
		}
	}
	return offered, nil
}

// find returns the catalogue of a language that the service's owner names.
func find(catalogues []*catalogue, name string) (*catalogue, error) {
	tag, err := language.Parse(name)
	if err != nil {
		return nil, fmt.Errorf("%q is not a language tag (BCP 47)", name)
	}
	for _, c := range catalogues {
		if c.tag == tag {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%q is not among the languages offered: add a catalogue with WithFS, or name another language", name)
}

// Messages returns the messages in the language that suits a client best,
// given the lines of its Accept-Language header, and the tag of that language.
// The map has all messages. All calls share it: nobody changes it.
func (t *Translator) Messages(acceptLanguage []string) (language string, messages map[verso.MessageID]string) {
	c := t.choose(acceptLanguage)
	return c.name, c.messages
}

// choose returns the catalogue for an Accept-Language header.
func (t *Translator) choose(acceptLanguage []string) *catalogue {
	var buffer [MaxRanges]languageRange
	ranges := readRanges(buffer[:0], acceptLanguage)

	best, bestWeight := t.defaultLanguage, 0
	for i := range ranges {
		r := &ranges[i]
		if r.weight <= bestWeight {
			continue
		}
		var c *catalogue
		if r.isWildcard() {
			c = t.defaultUnlessNamed(ranges)
		} else {
			c = t.finder.find(r, ranges)
		}
		if c != nil {
			best, bestWeight = c, r.weight
		}
		if bestWeight == mediatype.MaxWeight {
			break
		}
	}
	return best
}

// defaultUnlessNamed returns the default language, or nil when a range other
// than "*" names or refuses it: "*" means all languages that no other range
// matches.
func (t *Translator) defaultUnlessNamed(ranges []languageRange) *catalogue {
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
	tags := make([]string, 0, len(t.catalogues))
	for _, c := range t.catalogues {
		tags = append(tags, c.name)
	}
	return tags
}
