package locales_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/locales"
)

func newTranslator(tb testing.TB, options ...locales.Option) *locales.Translator {
	tb.Helper()
	translator, err := locales.New(options...)
	require.NoError(tb, err)
	return translator
}

// browserHeader is the header of a browser that is set to Swiss German.
const browserHeader = "de-CH,de;q=0.9,en;q=0.8"

// longHeader repeats an element up to 64 KiB, the longest header that some servers
// accept.
func longHeader(element string) string {
	return strings.Repeat(element, 64<<10/len(element))
}

func TestMessagesChoosesLanguage(t *testing.T) {
	tests := []struct {
		name   string
		header string
		want   string
		reason string
	}{
		{"absent or empty", "", "en", "no language is named"},
		{"white space only", " \t ", "en", "an empty field names no language"},
		{"exact", "fr", "fr", "there is a translation of that name"},
		{"exact with region", "pt-BR", "pt-BR", "there is a translation of that name"},
		{"browser", browserHeader, "de", "the first range has the highest q"},
		{"letter case", "PT-br", "pt-BR", "language tags ignore case (RFC 5646, section 2.1.1)"},
		{"script in upper case", "ZH-HANT", "zh-Hant", "language tags ignore case"},
		{"white space", " \tfr ; q=0.5 ,\t de ; q=0.9 ", "de", "optional white space does not count"},

		{"region falls back", "de-CH", "de", "lookup truncates subtag by subtag (RFC 4647, section 3.4)"},
		{"variant falls back", "de-CH-1996", "de", "lookup truncates subtag by subtag"},
		{"extension falls back", "de-u-co-phonebk", "de", "lookup drops the single letter with what follows it"},
		{"fallback keeps the region", "pt-BR-x-sp", "pt-BR", "the longest name that the range begins with"},
		{"other region of a language with regions", "pt-PT", "pt", "pt-BR is not the language of Portugal"},
		{"fallback before a range with lower q", "de-CH,fr;q=0.9", "de", "q counts before exactness"},
		{"no prefix of a subtag", "filx", "en", "subtags are compared as a whole"},
		{"range is shorter than the name of the translation", "sr-Cyrl", "sr", "sr is written in Cyrillic letters"},

		{"q order", "en;q=0.3,fr;q=0.7,de;q=0.5", "fr", "the highest q wins"},
		{"q in thousandths", "fr;q=0.998,de;q=0.999", "de", "q has three decimals"},
		{"q in upper case", "fr;Q=0.5,de;Q=0.6", "de", "parameter names ignore case"},
		{"tie", "fr;q=0.5,de;q=0.5", "fr", "the first of those with the same q wins"},
		{"q without number", "fr;q=,de;q=0.9", "fr", "an invalid q means q=1"},
		{"q above 1", "fr;q=1.5,de", "fr", "q is at most 1"},
		{"other parameters", "fr;level=1;q=0.1,de;q=0.2", "de", "parameters other than q are ignored"},
		{"unknown before known", "tlh,xx-YY;q=0.9,fr;q=0.1", "fr", "languages that are not there do not count"},
		{"all unknown", "tlh,xx-YY", "en", "an explanation in a foreign language is better than none"},

		{"several lines", "fr;q=0.5, de;q=0.9", "de", "field lines are one list (RFC 9110, section 5.3)"},
		{"several lines in order", "fr, de", "fr", "field lines keep their order"},
		{"empty elements", ",,fr,,", "fr", "empty elements are ignored (RFC 9110, section 5.6.1.2)"},

		{"q=0 of a preferred language", "de;q=0,fr;q=0.1", "fr", "q=0 excludes"},
		{"q=0.000", "de;q=0.000,fr;q=0.1", "fr", "q=0.000 is zero"},
		{"tiny q", "de;q=0.0001", "de", "a small q excludes nothing"},
		{"q=0 of the default language", "en;q=0", "en", "nothing else matches"},
		{"q=0 of everything", "*;q=0", "en", "an explanation in an excluded language is better than none"},
		{"q=0 of the others", "de-CH,*;q=0", "de", "de-CH finds de, which is thereby not one of the others"},
		{"q=0 with an own q below", "pt;q=0,pt-BR;q=0.5,fr;q=0.1", "pt-BR", "the more specific range has its own q"},
		{"q=0 of a region", "de-CH;q=0,de;q=0.5,fr;q=0.1", "de", "only de-CH is excluded"},
		{"q=0 and the region accepted", "de;q=0,de-CH;q=0.5,fr;q=0.1", "de", "de-CH has its own q and finds de"},
		{"q=0 of what an alias finds", "zh-Hans;q=0,zh,fr;q=0.1", "fr", "zh would be zh-Hans"},
		{"q=0 of one script", "zh;q=0,zh-TW;q=0.5,fr;q=0.1", "zh-Hant", "zh-TW is more specific than zh"},
		{"q=0 of an equal alias", "nn;q=0,no;q=0.5,fr;q=0.1", "nb", "no names nb as closely as nn does"},

		{"wildcard", "*", "en", "* is the default language"},
		{"wildcard first", "*,fr;q=0.5", "en", "* has the higher q"},
		{"wildcard last", "fr,*;q=0.5", "fr", "fr has the higher q"},
		{"wildcard after unknown", "tlh,*;q=0.5", "en", "* is the default language"},
		{"wildcard and excluded default", "en;q=0,*,fr;q=0.1", "fr", "* does not mean what another range excludes"},
		{"wildcard and named default", "en;q=0.1,*;q=0.9,fr;q=0.5", "fr", "* does not mean what another range names"},
		{"wildcard and default named by region", "en-GB;q=0.1,*;q=0.9,fr;q=0.5", "fr", "en-GB finds en"},
		{"wildcard with region", "*-CH,fr;q=0.1", "fr", "*-CH is an extended range, which this field does not have"},

		{"zh", "zh", "zh-Hans", "most who write zh mean simplified characters"},
		{"zh-CN", "zh-CN,zh;q=0.9", "zh-Hans", "China writes simplified characters"},
		{"zh-SG", "zh-SG", "zh-Hans", "Singapore writes simplified characters"},
		{"zh-TW", "zh-TW,zh;q=0.9", "zh-Hant", "Taiwan writes traditional characters"},
		{"zh-HK", "zh-HK", "zh-Hant", "Hong Kong writes traditional characters"},
		{"zh-MO", "zh-MO", "zh-Hant", "Macau writes traditional characters"},
		{"zh-Hant-HK", "zh-Hant-HK", "zh-Hant", "lookup truncates subtag by subtag"},
		{"zh-Hans-HK", "zh-Hans-HK", "zh-Hans", "the script counts before the region"},
		{"yue", "yue-HK", "zh-Hant", "Cantonese is written in traditional characters"},
		{"cmn", "cmn-Hant-TW", "zh-Hant", "cmn is Mandarin, which zh implies"},
		{"no", "no", "nb", "Norwegian is mostly Bokmål"},
		{"nn", "nn-NO", "nb", "readers of Nynorsk read Bokmål"},
		{"iw", "iw-IL", "he", "the former code of Hebrew"},
		{"in", "in-ID", "id", "the former code of Indonesian"},
		{"mo", "mo", "ro", "the former code of Moldavian"},
		{"tl", "tl-PH", "fil", "the code of Tagalog, used for Filipino"},
		{"sr-Latn", "sr-Latn-RS", "sr-Latn", "the script decides"},
		{"sr-RS", "sr-RS", "sr", "Serbian without a script is Cyrillic"},
		{"sr-ME", "sr-ME", "sr-Latn", "Montenegro prefers Latin letters"},
		{"sh", "sh", "sr-Latn", "the former code of Serbo-Croatian"},
		{"own script", "az-Latn-AZ", "az", "az is written in Latin letters"},
		{"own script and region", "pt-Latn-BR", "pt-BR", "the script goes without saying"},
		{"foreign script", "az-Cyrl,ru;q=0.5", "ru", "az is written in Latin letters"},
		{"foreign script alone", "ur-Latn", "en", "ur is written in Arabic letters"},

		{"underscore", "de_CH,fr;q=0.1", "fr", "de_CH is not a language range"},
		{"not ASCII", "dé,fr;q=0.1", "fr", "not a language range"},
		{"control characters", "de\x00,\r\n,fr;q=0.1", "fr", "not language ranges"},
		{"subtag too long", "de-abcdefghi,fr;q=0.1", "fr", "subtags have at most eight characters"},
		{"empty subtag", "de--CH,fr;q=0.1", "fr", "subtags are not empty"},
		{"trailing hyphen", "de-,fr;q=0.1", "fr", "subtags are not empty"},
		{"leading hyphen", "-de,fr;q=0.1", "fr", "subtags are not empty"},
		{"digits as language", "123,fr;q=0.1", "fr", "the first subtag has letters only"},
		{"semicolon only", ";,;q=1,fr;q=0.1", "fr", "no language range"},
		{"quoted", `"de",fr;q=0.1`, "fr", "quotes do not occur in a language range"},

		{"last range that counts", strings.Repeat("tlh,", locales.MaxRanges-1) + "fr", "fr", "as many ranges count"},
		{"first range too many", strings.Repeat("tlh,", locales.MaxRanges) + "fr", "en", "ranges beyond the bound do not count"},
		{"last byte that counts", strings.Repeat(" ", locales.MaxBytes-2) + "fr", "fr", "as many bytes count"},
		{"range cut at the last byte", strings.Repeat(" ", locales.MaxBytes-2) + "fra", "en", "fra is not fr"},
		{"first byte too many", strings.Repeat(" ", locales.MaxBytes-1) + "fr", "en", "bytes beyond the bound do not count"},
		{"range that ends at the last byte", strings.Repeat(" ", locales.MaxBytes-2) + "fr,de", "fr", "a whole range counts"},
		{"q cut", "de;q=0.5," + strings.Repeat(" ", locales.MaxBytes-len("de;q=0.5,fr;q=0.")) + "fr;q=0.1", "de", "a range that is cut does not count"},
		{"bytes over several lines", strings.Repeat(" ", locales.MaxBytes-3) + ", fr", "en", "the bound is over all lines"},
		{"long header", longHeader("tlh-xx;q=0.9,"), "en", "the beginning counts"},
		{"long element", longHeader("a"), "en", "an element that is cut does not count"},
	}
	translator := newTranslator(t)
	names := make(map[string]bool)
	for _, test := range tests {
		require.False(t, names[test.name], "two cases are called %q", test.name)
		names[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			language, _ := translator.Messages(test.header)
			assert.Equal(t, test.want, language, test.reason)
		})
	}
}

func TestMessagesReturnsTexts(t *testing.T) {
	translator := newTranslator(t)

	language, messages := translator.Messages("ja-JP")
	assert.Equal(t, "ja", language)
	assert.Equal(t, `"Accept" ヘッダーのバージョンが無効です。`, messages[source.InvalidAcceptHeaderVersion])

	language, messages = translator.Messages("")
	assert.Equal(t, "en", language)
	assert.Equal(t, verso.EnglishMessages(), messages)
}

func TestWithDefaultLanguage(t *testing.T) {
	translator := newTranslator(t, locales.WithDefaultLanguage("pt-br"))
	tests := []struct {
		name, header, want string
	}{
		{"absent", "", "pt-BR"},
		{"unknown", "tlh", "pt-BR"},
		{"wildcard", "*;q=0.5,fr;q=0.4", "pt-BR"},
		{"English is one of many", "en", "en"},
		{"wildcard and an exclusion that covers the default", "pt;q=0,*,fr;q=0.1", "fr"},
		{"wildcard and an exclusion next to the default", "pt-PT;q=0,*,fr;q=0.1", "pt-BR"},
		{"wildcard and a near relative of the default", "pt;q=0.2,*,fr;q=0.3", "pt-BR"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			language, _ := translator.Messages(test.header)
			assert.Equal(t, test.want, language)
		})
	}

	_, err := locales.New(locales.WithDefaultLanguage("tlh"))
	assert.EqualError(t, err, `locales: default language: "tlh" is not among the languages offered: `+
		`add a message file with WithFS, or name another language`)
	_, err = locales.New(locales.WithDefaultLanguage("de CH"))
	assert.EqualError(t, err, `locales: default language: "de CH" is not a language tag (BCP 47)`)
}

func TestWithLanguages(t *testing.T) {
	translator := newTranslator(t, locales.WithLanguages("en", "zh-Hans"), locales.WithLanguages("fr"))
	assert.Equal(t, []string{"en", "fr", "zh-Hans"}, translator.Languages())

	language, _ := translator.Messages(browserHeader)
	assert.Equal(t, "en", language, "German is not offered")
	language, _ = translator.Messages("zh-TW")
	assert.Equal(t, "zh-Hans", language, "there is no better Chinese")
	language, _ = translator.Messages("zh-Hant-TW")
	assert.Equal(t, "en", language, "simplified characters are not the script asked for")

	_, err := locales.New(locales.WithDefaultLanguage("en"), nil)
	assert.EqualError(t, err, "locales: option 2 is nil: remove it")
	_, err = locales.New(locales.WithLanguages("en", "tlh"))
	assert.ErrorContains(t, err, `offered languages: "tlh" is not among the languages offered`)
	_, err = locales.New(locales.WithLanguages("de", "fr"))
	assert.ErrorContains(t, err, `default language: "en" is not among the languages offered`)
}

func TestMessagesConcurrently(t *testing.T) {
	translator := newTranslator(t)
	var group sync.WaitGroup
	for _, tag := range translator.Languages() {
		group.Go(func() {
			for range 100 {
				language, messages := translator.Messages(tag)
				assert.Equal(t, tag, language)
				assert.NotEmpty(t, messages[source.NotAcceptableMessage])
			}
		})
	}
	group.Wait()
}

func TestMessagesDoesNotAllocate(t *testing.T) {
	translator := newTranslator(t)
	for name, header := range map[string]string{
		"browser":    browserHeader,
		"exclusions": "zh-Hans;q=0,zh,*;q=0.5,en;q=0",
		"long":       longHeader("tlh-xx;q=0.9,"),
		"absent":     "",
	} {
		assert.Zero(t, testing.AllocsPerRun(100, func() { translator.Messages(header) }), name)
	}
}

func BenchmarkMessages(b *testing.B) {
	translator := newTranslator(b)
	for _, bench := range []struct {
		name   string
		header string
	}{
		{"absent", ""},
		{"exact", "fr"},
		{"browser", browserHeader},
		{"browser with ten ranges", "de-CH,de;q=0.9,en-US;q=0.8,en;q=0.7,fr-CH;q=0.6,fr;q=0.5,it-CH;q=0.4,it;q=0.3,rm;q=0.2,nl;q=0.1"},
		{"wildcard and exclusions", "zh-Hans;q=0,zh,*;q=0.5,en;q=0"},
		{"64 KiB of a browser's", longHeader(browserHeader + ",")},
		{"64 KiB of unknown languages", longHeader("tlh-xx;q=0.9,")},
		{"64 KiB of long ranges", longHeader("de-" + strings.Repeat("x-", 29) + "~,")},
		{"64 KiB of excluded aliases", longHeader("zh,zh-Hans;q=0,")},
		{"64 KiB of commas", longHeader(",")},
		{"64 KiB of one element", longHeader("a")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				translator.Messages(bench.header)
			}
		})
	}
	b.Run("browser, by a bundle", func(b *testing.B) {
		translator, err := locales.FromBundle(bundleOf(b, translator.Languages()...))
		require.NoError(b, err)
		b.ReportAllocs()
		for b.Loop() {
			translator.Messages(browserHeader)
		}
	})
}

// Two languages start in a small part of the time of all.
func BenchmarkNew(b *testing.B) {
	for name, options := range map[string][]locales.Option{"all": nil, "two": {locales.WithLanguages("en", "de")}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				newTranslator(b, options...)
			}
		})
	}
}
