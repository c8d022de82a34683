package locales

import (
	"errors"
	"fmt"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	verso "github.com/goverso/verso/core"
)

// FromBundle returns a translator that uses the bundle of a service, with its languages,
// its default language and its choice among them, which is that of [language.Matcher].
// Load the files of all languages before:
//
//	for _, file := range []string{"active.en.toml", "active.de.toml"} {
//		_, err := bundle.LoadMessageFileFS(locales.Files(), file)
//		...
//	}
//	translator, err := locales.FromBundle(bundle)
//
// A message that a language lacks is sent in English. FromBundle fails if the bundle has no
// message of Verso, or a broken one. Like [Translator.Messages], it reads the beginning of a
// header only.
func FromBundle(bundle *i18n.Bundle) (verso.Translator, error) {
	t := &bundleTranslator{tags: bundle.LanguageTags()}
	t.matcher = language.NewMatcher(t.tags)
	translated := false
	for _, tag := range t.tags {
		localizer, texts := i18n.NewLocalizer(bundle, tag.String()), make(map[verso.MessageID]string)
		for id := range verso.EnglishMessages() {
			text, of, err := localizer.LocalizeWithTag(&i18n.LocalizeConfig{MessageID: string(id)})
			if lacks := (*i18n.MessageNotFoundErr)(nil); err != nil && !errors.As(err, &lacks) {
				return nil, fmt.Errorf("locales: bundle, language %s: message %q: %w", tag, id, err)
			}
			// The bundle falls back to its default language.
			if text != "" && isOf(of, tag) {
				texts[id], translated = text, true
			}
		}
		t.messages = append(t.messages, texts)
	}
	if !translated {
		return nil, errors.New("locales: the bundle has no message of Verso: load those of Files into it before")
	}
	return t, nil
}

// isOf reports whether a language is another one or more general: de for de-AT.
func isOf(general, tag language.Tag) bool {
	for ; tag != language.Und; tag = tag.Parent() {
		if tag == general {
			return true
		}
	}
	return false
}

// bundleTranslator has the messages of each language of a bundle.
type bundleTranslator struct {
	tags     []language.Tag
	matcher  language.Matcher
	messages []map[verso.MessageID]string
}

// Messages chooses a language as the localizers of the bundle do.
func (t *bundleTranslator) Messages(acceptLanguage string) (string, map[verso.MessageID]string) {
	if len(acceptLanguage) > MaxBytes {
		acceptLanguage = wholeElements(acceptLanguage)
	}
	asked, _, _ := language.ParseAcceptLanguage(acceptLanguage) // none, if the header is malformed
	_, index, _ := t.matcher.Match(asked...)
	return t.tags[index].String(), t.messages[index]
}
