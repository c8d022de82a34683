package locales_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/language"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/locales"
)

// bundleOf returns the bundle of a service with its own messages and those of Verso in
// the given languages, the first of which is the default.
func bundleOf(tb testing.TB, languages ...string) *i18n.Bundle {
	tb.Helper()
	bundle := i18n.NewBundle(language.MustParse(languages[0]))
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	for _, tag := range languages {
		_, err := bundle.LoadMessageFileFS(locales.Files(), "active."+tag+".toml")
		require.NoError(tb, err)
	}
	_, err := bundle.ParseMessageFileBytes([]byte("hello = \"Servus\"\ntitle_not_acceptable = \"Geht nicht\"\ncats = \"{{.Count}} Katzen\""), "active.de.toml")
	require.NoError(tb, err)
	return bundle
}

// A bundle takes all files of the package, and has the same messages then.
func TestFiles(t *testing.T) {
	names, err := fs.Glob(locales.Files(), "*")
	require.NoError(t, err)
	var tags []string
	for _, name := range names {
		tags = append(tags, strings.TrimSuffix(strings.TrimPrefix(name, "active."), ".toml"))
	}
	plain := newTranslator(t)
	assert.ElementsMatch(t, plain.Languages(), tags)
	translator, err := locales.FromBundle(bundleOf(t, append([]string{"en"}, tags...)...))
	require.NoError(t, err)
	var others []string // languages for which the matcher prefers another
	for _, tag := range tags {
		chosen, got := translator.Messages(tag)
		if chosen != tag {
			others = append(others, tag+" "+chosen)
		}
		if tag == "de" {
			continue // the service has other texts
		}
		_, want := plain.Messages(chosen)
		assert.Equal(t, want, got, tag)
	}
	assert.Equal(t, []string{"pt pt-BR"}, others)
}

func TestFromBundle(t *testing.T) {
	translator, err := locales.FromBundle(bundleOf(t, "de", "fr", "pt-BR"))
	require.NoError(t, err)
	for _, test := range []struct {
		name, header, language string
		id                     verso.MessageID
		text                   string
	}{
		{"a region", "fr-CA,en", "fr", verso.ProblemTitle(source.InvalidVersion), "Version d'API non valide"},
		{"by likeness", "pt", "pt-BR", source.MissingVersion, "Versão ausente na requisição."},
		{"the service's text", "de-AT", "de", verso.ProblemTitle(source.NotAcceptableMessage), "Geht nicht"},
		{"no language of the bundle", "ja", "de", verso.ProblemTitle(source.NotAcceptableMessage), "Geht nicht"},
		{"no header", "", "de", verso.ProblemTitle(source.NotAcceptableMessage), "Geht nicht"},
		{"a malformed header", "fr;q=x", "de", verso.ProblemTitle(source.NotAcceptableMessage), "Geht nicht"},
		{"a long header", "fr," + strings.Repeat("x-", 100_000), "fr", verso.ProblemTitle(source.InvalidVersion), "Version d'API non valide"},
	} {
		t.Run(test.name, func(t *testing.T) {
			language, messages := translator.Messages(test.header)
			assert.Equal(t, test.language, language)
			assert.Equal(t, test.text, messages[test.id])
		})
	}
}

// What a language of the bundle lacks is left out, though go-i18n falls back to another language.
func TestFromBundleFallsBack(t *testing.T) {
	bundle := i18n.NewBundle(language.German)
	require.NoError(t, bundle.AddMessages(language.German, &i18n.Message{ID: "not_acceptable", Other: "Nein"}))
	require.NoError(t, bundle.AddMessages(language.French, &i18n.Message{ID: "invalid_version", Other: "Non"}))
	translator, err := locales.FromBundle(bundle)
	require.NoError(t, err)
	_, messages := translator.Messages("fr")
	assert.Equal(t, map[verso.MessageID]string{"invalid_version": "Non"}, messages)
	_, messages = translator.Messages("de")
	assert.Equal(t, map[verso.MessageID]string{source.NotAcceptableMessage: "Nein"}, messages)
}

func TestFromBundleErrors(t *testing.T) {
	_, err := locales.FromBundle(i18n.NewBundle(language.English))
	require.EqualError(t, err, "locales: the bundle has no message of Verso: load those of Files into it before")

	broken := i18n.NewBundle(language.English)
	require.NoError(t, broken.AddMessages(language.English, &i18n.Message{ID: "not_acceptable", Other: "No, {{"}))
	_, err = locales.FromBundle(broken)
	require.ErrorContains(t, err, `locales: bundle, language en: message "not_acceptable": `)
}
