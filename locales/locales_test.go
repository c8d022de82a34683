package locales_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/locales"
)

func newTranslator(tb testing.TB, options ...locales.Option) *locales.Translator {
	tb.Helper()
	translator, err := locales.New(options...)
	require.NoError(tb, err)
	return translator
}

// browserHeader is what a browser sends that is set to Swiss German.
var browserHeader = []string{"de-CH,de;q=0.9,en;q=0.8"}

// longHeader repeats an element up to 64 KiB, the longest header that some
// servers take.
func longHeader(element string) []string {
	return []string{strings.Repeat(element, 64<<10/len(element))}
}

func TestMessagesChoosesLanguage(t *testing.T) {
	tests := []struct {
		name   string
		header []string
		want   string
		reason string
	}{
		{"absent", nil, "en", "without the field any language is acceptable"},
		{"empty", []string{""}, "en", "an empty field names no language"},
		{"white space only", []string{" \t "}, "en", "an empty field names no language"},
		{"exact", []string{"fr"}, "fr", "there is a catalogue of that name"},
		{"exact with region", []string{"pt-BR"}, "pt-BR", "there is a catalogue of that name"},
		{"browser", browserHeader, "de", "the first range has the highest q"},
		{"letter case", []string{"PT-br"}, "pt-BR", "language tags ignore case (RFC 5646, section 2.1.1)"},
		{"script in upper case", []string{"ZH-HANT"}, "zh-Hant", "language tags ignore case"},
		{"white space", []string{" \tfr ; q=0.5 ,\t de ; q=0.9 "}, "de", "optional white space does not count"},

		{"region falls back", []string{"de-CH"}, "de", "lookup truncates subtag by subtag (RFC 4647, section 3.4)"},
		{"variant falls back", []string{"de-CH-1996"}, "de", "lookup truncates subtag by subtag"},
		{"extension falls back", []string{"de-u-co-phonebk"}, "de", "lookup drops the single letter with what follows it"},
		{"fallback keeps the region", []string{"pt-BR-x-sp"}, "pt-BR", "the longest catalogue name that the range begins with"},
		{"other region of a language with regions", []string{"pt-PT"}, "pt", "pt-BR is not the language of Portugal"},
		{"fallback before a range with lower q", []string{"de-CH,fr;q=0.9"}, "de", "q counts before exactness"},
		{"no prefix of a subtag", []string{"filx"}, "en", "subtags are compared as a whole"},
		{"range is shorter than the catalogue", []string{"sr-Cyrl"}, "sr", "sr is written in Cyrillic letters"},

		{"q order", []string{"en;q=0.3,fr;q=0.7,de;q=0.5"}, "fr", "the highest q wins"},
		{"q in thousandths", []string{"fr;q=0.998,de;q=0.999"}, "de", "q has three decimals"},
		{"q in upper case", []string{"fr;Q=0.5,de;Q=0.6"}, "de", "parameter names ignore case"},
		{"tie", []string{"fr;q=0.5,de;q=0.5"}, "fr", "the first of those with the same q wins"},
		{"q without number", []string{"fr;q=,de;q=0.9"}, "fr", "what is not a qvalue counts as none, which is q=1"},
		{"q above 1", []string{"fr;q=1.5,de"}, "fr", "q is at most 1"},
		{"other parameters", []string{"fr;level=1;q=0.1,de;q=0.2"}, "de", "parameters other than q are ignored"},
		{"unknown before known", []string{"tlh,xx-YY;q=0.9,fr;q=0.1"}, "fr", "languages that are not there do not count"},
		{"all unknown", []string{"tlh,xx-YY"}, "en", "an explanation in a foreign language is better than none"},

		{"several lines", []string{"fr;q=0.5", "de;q=0.9"}, "de", "field lines are one list (RFC 9110, section 5.3)"},
		{"several lines in order", []string{"fr", "de"}, "fr", "field lines keep their order"},
		{"empty elements", []string{",,fr,,"}, "fr", "empty elements are ignored (RFC 9110, section 5.6.1.2)"},

		{"q=0 of a preferred language", []string{"de;q=0,fr;q=0.1"}, "fr", "q=0 refuses"},
		{"q=0.000", []string{"de;q=0.000,fr;q=0.1"}, "fr", "q=0.000 is zero"},
		{"tiny q", []string{"de;q=0.0001"}, "de", "a small q is not a refusal"},
		{"q=0 of the default language", []string{"en;q=0"}, "en", "nothing else matches"},
		{"q=0 of everything", []string{"*;q=0"}, "en", "an explanation in a refused language is better than none"},
		{"q=0 of the others", []string{"de-CH,*;q=0"}, "de", "de-CH finds de, which is thereby not one of the others"},
		{"q=0 with an own q below", []string{"pt;q=0,pt-BR;q=0.5,fr;q=0.1"}, "pt-BR", "the more specific range has its own q"},
		{"q=0 of a region", []string{"de-CH;q=0,de;q=0.5,fr;q=0.1"}, "de", "only de-CH is refused"},
		{"q=0 and the region accepted", []string{"de;q=0,de-CH;q=0.5,fr;q=0.1"}, "de", "de-CH has its own q and finds de"},
		{"q=0 of what an alias finds", []string{"zh-Hans;q=0,zh,fr;q=0.1"}, "fr", "zh would be zh-Hans"},
		{"q=0 of one script", []string{"zh;q=0,zh-TW;q=0.5,fr;q=0.1"}, "zh-Hant", "zh-TW is more specific than zh"},
		{"q=0 of an equal alias", []string{"nn;q=0,no;q=0.5,fr;q=0.1"}, "nb", "no names nb as closely as nn does"},

		{"wildcard", []string{"*"}, "en", "* is the default language"},
		{"wildcard first", []string{"*,fr;q=0.5"}, "en", "* has the higher q"},
		{"wildcard last", []string{"fr,*;q=0.5"}, "fr", "fr has the higher q"},
		{"wildcard behind unknown", []string{"tlh,*;q=0.5"}, "en", "* is the default language"},
		{"wildcard and refused default", []string{"en;q=0,*,fr;q=0.1"}, "fr", "* does not mean what another range refuses"},
		{"wildcard and named default", []string{"en;q=0.1,*;q=0.9,fr;q=0.5"}, "fr", "* does not mean what another range names"},
		{"wildcard and default named by region", []string{"en-GB;q=0.1,*;q=0.9,fr;q=0.5"}, "fr", "en-GB finds en"},
		{"wildcard with region", []string{"*-CH,fr;q=0.1"}, "fr", "*-CH is an extended range, which this field does not have"},

		{"zh", []string{"zh"}, "zh-Hans", "most who write zh mean simplified characters"},
		{"zh-CN", []string{"zh-CN,zh;q=0.9"}, "zh-Hans", "China writes simplified characters"},
		{"zh-SG", []string{"zh-SG"}, "zh-Hans", "Singapore writes simplified characters"},
		{"zh-TW", []string{"zh-TW,zh;q=0.9"}, "zh-Hant", "Taiwan writes traditional characters"},
		{"zh-HK", []string{"zh-HK"}, "zh-Hant", "Hong Kong writes traditional characters"},
		{"zh-MO", []string{"zh-MO"}, "zh-Hant", "Macau writes traditional characters"},
		{"zh-Hant-HK", []string{"zh-Hant-HK"}, "zh-Hant", "lookup truncates subtag by subtag"},
		{"zh-Hans-HK", []string{"zh-Hans-HK"}, "zh-Hans", "the script counts before the region"},
		{"yue", []string{"yue-HK"}, "zh-Hant", "Cantonese is written in traditional characters"},
		{"cmn", []string{"cmn-Hant-TW"}, "zh-Hant", "cmn is Mandarin, which zh stands for"},
		{"no", []string{"no"}, "nb", "Norwegian is mostly Bokmål"},
		{"nn", []string{"nn-NO"}, "nb", "who reads Nynorsk reads Bokmål"},
		{"iw", []string{"iw-IL"}, "he", "the former code of Hebrew"},
		{"in", []string{"in-ID"}, "id", "the former code of Indonesian"},
		{"mo", []string{"mo"}, "ro", "the former code of Moldavian"},
		{"tl", []string{"tl-PH"}, "fil", "the code of Tagalog, used for Filipino"},
		{"sr-Latn", []string{"sr-Latn-RS"}, "sr-Latn", "the script decides"},
		{"sr-RS", []string{"sr-RS"}, "sr", "Serbian without a script is Cyrillic"},
		{"sr-ME", []string{"sr-ME"}, "sr-Latn", "Montenegro prefers Latin letters"},
		{"sh", []string{"sh"}, "sr-Latn", "the former code of Serbo-Croatian"},
		{"own script", []string{"az-Latn-AZ"}, "az", "az is written in Latin letters"},
		{"own script and region", []string{"pt-Latn-BR"}, "pt-BR", "the script goes without saying"},
		{"foreign script", []string{"az-Cyrl,ru;q=0.5"}, "ru", "az is written in Latin letters"},
		{"foreign script alone", []string{"ur-Latn"}, "en", "ur is written in Arabic letters"},

		{"underscore", []string{"de_CH,fr;q=0.1"}, "fr", "de_CH is not a language range"},
		{"not ASCII", []string{"dé,fr;q=0.1"}, "fr", "not a language range"},
		{"control characters", []string{"de\x00,\r\n,fr;q=0.1"}, "fr", "not language ranges"},
		{"subtag too long", []string{"de-abcdefghi,fr;q=0.1"}, "fr", "subtags have at most eight characters"},
		{"empty subtag", []string{"de--CH,fr;q=0.1"}, "fr", "subtags are not empty"},
		{"trailing hyphen", []string{"de-,fr;q=0.1"}, "fr", "subtags are not empty"},
		{"leading hyphen", []string{"-de,fr;q=0.1"}, "fr", "subtags are not empty"},
		{"digits as language", []string{"123,fr;q=0.1"}, "fr", "the first subtag has letters only"},
		{"semicolon only", []string{";,;q=1,fr;q=0.1"}, "fr", "there is no language range"},
		{"quoted", []string{`"de",fr;q=0.1`}, "fr", "quotes do not occur in a language range"},

		{"last range that counts", []string{strings.Repeat("tlh,", locales.MaxRanges-1) + "fr"}, "fr", "as many ranges count"},
		{"first range too many", []string{strings.Repeat("tlh,", locales.MaxRanges) + "fr"}, "en", "ranges beyond the bound do not count"},
		{"lines beyond the ranges", append(make([]string, 1), strings.Repeat("tlh,", locales.MaxRanges), "fr"), "en", "the bound is over all lines"},
		{"last byte that counts", []string{strings.Repeat(" ", locales.MaxBytes-2) + "fr"}, "fr", "as many bytes count"},
		{"range cut at the last byte", []string{strings.Repeat(" ", locales.MaxBytes-2) + "fra"}, "en", "fra is not fr"},
		{"first byte too many", []string{strings.Repeat(" ", locales.MaxBytes-1) + "fr"}, "en", "bytes beyond the bound do not count"},
		{"range that ends at the last byte", []string{strings.Repeat(" ", locales.MaxBytes-2) + "fr,de"}, "fr", "a whole range counts"},
		{"q cut", []string{"de;q=0.5," + strings.Repeat(" ", locales.MaxBytes-len("de;q=0.5,fr;q=0.")) + "fr;q=0.1"}, "de", "a range that is cut does not count"},
		{"bytes over several lines", []string{strings.Repeat(" ", locales.MaxBytes-1), "fr"}, "en", "the bound is over all lines"},
		{"long header", longHeader("tlh-xx;q=0.9,"), "en", "the beginning counts"},
		{"long element", longHeader("a"), "en", "an element that is cut does not count"},
	}
	translator := newTranslator(t)
	names := make(map[string]bool)
	for _, test := range tests {
		require.False(t, names[test.name], "two cases are called %q", test.name)
		names[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			language, messages := translator.Messages(test.header)
			assert.Equal(t, test.want, language, test.reason)
			assert.Len(t, messages, len(verso.EnglishMessages()))
		})
	}
}

func TestMessagesReturnsTexts(t *testing.T) {
	translator := newTranslator(t)

	language, messages := translator.Messages([]string{"ja-JP"})
	assert.Equal(t, "ja", language)
	assert.Equal(t, `"Accept" ヘッダーのバージョンが無効です。`, messages[verso.InvalidAcceptHeaderVersion])

	language, messages = translator.Messages(nil)
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
		{"wildcard and a refusal that covers the default", "pt;q=0,*,fr;q=0.1", "fr"},
		{"wildcard and a refusal beside the default", "pt-PT;q=0,*,fr;q=0.1", "pt-BR"},
		{"wildcard and a near relative of the default", "pt;q=0.2,*,fr;q=0.3", "pt-BR"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			language, _ := translator.Messages([]string{test.header})
			assert.Equal(t, test.want, language)
		})
	}

	_, err := locales.New(locales.WithDefaultLanguage("tlh"))
	assert.EqualError(t, err, `locales: default language: "tlh" is not among the languages offered: `+
		`add a catalogue with WithFS, or name another language`)
	_, err = locales.New(locales.WithDefaultLanguage("de CH"))
	assert.EqualError(t, err, `locales: default language: "de CH" is not a language tag (BCP 47)`)
}

func TestWithLanguages(t *testing.T) {
	translator := newTranslator(t, locales.WithLanguages("en", "zh-Hans"), locales.WithLanguages("fr"))
	assert.Equal(t, []string{"en", "fr", "zh-Hans"}, translator.Languages())

	language, _ := translator.Messages(browserHeader)
	assert.Equal(t, "en", language, "German is not offered")
	language, _ = translator.Messages([]string{"zh-TW"})
	assert.Equal(t, "zh-Hans", language, "there is no better Chinese")
	language, _ = translator.Messages([]string{"zh-Hant-TW"})
	assert.Equal(t, "en", language, "simplified characters are not the script asked for")

	_, err := locales.New(locales.WithLanguages("en", "tlh"))
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
				language, messages := translator.Messages([]string{tag})
				assert.Equal(t, tag, language)
				assert.NotEmpty(t, messages[verso.NotAcceptable])
			}
		})
	}
	group.Wait()
}

func TestMessagesDoesNotAllocate(t *testing.T) {
	translator := newTranslator(t)
	for name, header := range map[string][]string{
		"browser":  browserHeader,
		"refusals": {"zh-Hans;q=0,zh,*;q=0.5,en;q=0"},
		"long":     longHeader("tlh-xx;q=0.9,"),
		"absent":   nil,
	} {
		assert.Zero(t, testing.AllocsPerRun(100, func() { translator.Messages(header) }), name)
	}
}

func BenchmarkMessages(b *testing.B) {
	translator := newTranslator(b)
	for _, bench := range []struct {
		name   string
		header []string
	}{
		{"absent", nil},
		{"exact", []string{"fr"}},
		{"browser", browserHeader},
		{"browser with ten ranges", []string{"de-CH,de;q=0.9,en-US;q=0.8,en;q=0.7,fr-CH;q=0.6,fr;q=0.5,it-CH;q=0.4,it;q=0.3,rm;q=0.2,nl;q=0.1"}},
		{"wildcard and refusals", []string{"zh-Hans;q=0,zh,*;q=0.5,en;q=0"}},
		{"64 KiB of a browser's", longHeader(browserHeader[0] + ",")},
		{"64 KiB of unknown languages", longHeader("tlh-xx;q=0.9,")},
		{"64 KiB of long ranges", longHeader("de-" + strings.Repeat("x-", 29) + "~,")},
		{"64 KiB of refused aliases", longHeader("zh,zh-Hans;q=0,")},
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
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		newTranslator(b)
	}
}
