package locales_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// asInEnglish are the correct translations that equal the English texts, with the
// reason: "<language> <message ID>".
var asInEnglish = map[string]string{}

// joiners are the languages whose spelling needs the zero-width non-joiner,
// which is a format character.
var joiners = map[string]string{
	"fa": "keeps the parts of a compound apart",
	"kn": "keeps a suffix apart from a foreign word",
	"te": "keeps a suffix apart from a foreign word",
}

// fullStops are the characters that end a sentence, for languages that do not use
// ".". Thai has no such character and puts a space between sentences.
var fullStops = map[string]string{
	"bn": "।", "hi": "।", "ne": "।",
	"hy": "։",
	"ja": "。", "zh-Hans": "。", "zh-Hant": "。",
	"th": "",
	"ur": "۔",
}

// readFile reads a message file without go-i18n.
func readFile(t *testing.T, language string) (texts map[verso.MessageID]string) {
	t.Helper()
	var file map[verso.MessageID]struct{ Description, Hash, Other string }
	_, err := toml.DecodeFile("active."+language+".toml", &file)
	require.NoError(t, err)
	texts = make(map[verso.MessageID]string)
	for id, message := range file {
		assert.NotEmpty(t, message.Description, "%s needs a description for translators", id)
		texts[id] = message.Other
	}
	return texts
}

func TestEnglishFileIsCore(t *testing.T) {
	assert.Equal(t, verso.EnglishMessages(), readFile(t, "en"),
		"core/message.go and messages.go differ, or active.en.toml is stale: run ./i18n.sh update")
}

func TestLanguages(t *testing.T) {
	languages := newTranslator(t).Languages()
	files, err := filepath.Glob("active.*.toml")
	require.NoError(t, err)
	assert.Len(t, languages, len(files), "each file is another language")
	assert.GreaterOrEqual(t, len(languages), 50)

	wanted := "ar az bg cs da de en es et fa fi fr hu hy it ja kk ko lv mk nb ne nl pl pt pt-BR ro ru sl sv tr uk zh-Hans " +
		"zh-Hant el he hi hr id lt sk sr th vi ca bn ur sw ms eu gl ka ta te"
	assert.Subset(t, languages, strings.Fields(wanted))

	leftover, err := filepath.Glob("translate.*.toml")
	require.NoError(t, err)
	assert.Empty(t, leftover, "translate the texts and run ./i18n.sh update, or remove the files")
}

// TestSpecificationIsTranslated: other messages may be missing, and are sent in English then. `make
// i18n` names them.
func TestSpecificationIsTranslated(t *testing.T) {
	for _, language := range newTranslator(t).Languages() {
		texts := readFile(t, language)
		for _, id := range []verso.MessageID{
			source.InvalidAcceptHeaderVersion, source.InvalidURLPathVersion, source.InvalidNamespaceVersion, source.InvalidHostNameVersion,
			source.InvalidQueryParameterVersion,
		} {
			assert.NotEmpty(t, texts[id], "%s lacks the message %s of the specification", language, id)
		}
	}
}

// TestTranslationsPage compares the languages in locales/README.md with the message files.
func TestTranslationsPage(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("this is not a checkout of the repository")
	}
	require.NoError(t, err)
	var got []string
	for _, tag := range regexp.MustCompile("\\(`([A-Za-z-]+)`\\)").FindAllStringSubmatch(string(page), -1) {
		got = append(got, tag[1])
	}
	assert.ElementsMatch(t, newTranslator(t).Languages(), got, "correct the list of languages in locales/README.md")
}

func TestTranslations(t *testing.T) {
	english := verso.EnglishMessages()
	translator := newTranslator(t)
	for _, language := range translator.Languages() {
		t.Run(language, func(t *testing.T) {
			texts := readFile(t, language)
			for id, text := range texts {
				if !assert.Contains(t, english, id, "there is no such message") {
					continue
				}
				checkText(t, language, id, text)
				if language != "en" {
					_, allowed := asInEnglish[language+" "+string(id)]
					assert.Equal(t, allowed, text == english[id], "%s: %q is as in English if and only if asInEnglish says so", id, text)
				}
			}
			assert.True(t, strings.HasPrefix(texts[source.InvalidNamespaceVersion], texts[source.InvalidURLPathVersion]),
				"the first sentence of %s is %s", source.InvalidNamespaceVersion, source.InvalidURLPathVersion)

			want := make(map[verso.MessageID]string)
			if general, _, isRegional := strings.Cut(language, "-"); isRegional && general == "pt" {
				want = readFile(t, general)
			}
			maps.Copy(want, texts)
			name, served := translator.Messages(language)
			assert.Equal(t, language, name)
			assert.Equal(t, want, served)
		})
	}
}

func checkText(t *testing.T, language string, id verso.MessageID, text string) {
	t.Helper()
	english := verso.EnglishMessages()[id]
	assert.NotEmpty(t, text, id)
	assert.Equal(t, strings.TrimSpace(text), text, "%s: no white space around the text", id)
	assert.NotContains(t, text, "  ", "%s: one space between words", id)
	assert.True(t, norm.NFC.IsNormalString(text), "%s: %q is not in normalisation form C", id, text)
	assert.Equal(t, strings.Count(english, `"Accept"`), strings.Count(text, `"Accept"`), "%s: the header is called \"Accept\"", id)
	assert.Equal(t, strings.Count(english, `"`), strings.Count(text, `"`), "%s: no other quotes", id)
	for _, word := range []string{"URL", "API"} {
		assert.Equal(t, strings.Contains(english, word), strings.Contains(text, word), "%s: %s stays %s", id, word, word)
	}
	for _, r := range text {
		if r == '\u200c' && joiners[language] != "" {
			continue
		}
		assert.False(t, unicode.IsControl(r) || unicode.Is(unicode.Cf, r), "%s: %q has the control or format character %U", id, text, r)
		assert.False(t, r != ' ' && unicode.IsSpace(r), "%s: %q has the space %U", id, text, r)
	}

	stop, other := fullStops[language]
	if !other {
		stop = "."
	}
	if strings.HasPrefix(string(id), "title_") {
		assert.False(t, strings.ContainsAny(text, ".।։。۔"), "%s: %q is a title, without a full stop", id, text)
		return
	}
	assert.True(t, strings.HasSuffix(text, stop), "%s: %q ends with %q", id, text, stop)
	if stop != "" {
		assert.Equal(t, strings.Count(english, "."), strings.Count(text, stop), "%s: %q has as many sentences as in English", id, text)
	}
	if stop != "." {
		assert.NotContains(t, text, ".", "%s: the full stop of the language is %q", id, stop)
	}
}

func TestExceptionsAreNeeded(t *testing.T) {
	for language := range joiners {
		text, err := os.ReadFile("active." + language + ".toml")
		require.NoError(t, err)
		assert.Contains(t, string(text), "\u200c", "%s is listed in joiners", language)
	}
}
