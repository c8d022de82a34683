package locales_test

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/text/language"

	"github.com/goverso/verso/locales"
)

func FuzzMessages(f *testing.F) {
	for _, header := range []string{
		"", "de-CH,de;q=0.9,en;q=0.8", "*", "fr;q=0,*;q=0.5,en;q=0", "zh-TW, zh;q=0", "zh-Hans;q=0,zh", "sr-Latn-ME,sh;q=0.1234",
		"az-Cyrl,nn", "iw;q=1.000;x", "pt-Latn-BR-x-y;Q=.5", ",, ,,,de_CH;=", "no, nb ;q=0", "cmn-hant;q=00,yue", "pt;q=0,*",
		strings.Repeat("tl-PH,", 20), strings.Repeat("x", 300), strings.Repeat(" ", 253) + "fil,de",
	} {
		f.Add(header, false)
		f.Add(header, true)
	}
	english := newTranslator(f)
	chinese := newTranslator(f, locales.WithDefaultLanguage("zh-Hans"))
	languages := english.Languages()
	englishModel := newModel(languages, "en")
	chineseModel := newModel(languages, "zh-Hans")

	f.Fuzz(func(t *testing.T, header string, inChina bool) {
		translator, model := english, englishModel
		if inChina {
			translator, model = chinese, chineseModel
		}
		got, messages := translator.Messages(header)

		assert.Contains(t, languages, got)
		assert.NotEmpty(t, messages)
		assert.Equal(t, model.choose(header), got, "header %q", header)
	})
}

// model chooses a language as documented, by joining, splitting and truncating
// strings.
type model struct {
	defaultLanguage string
	translations    map[string]string // language range in lower case -> translation
}

type modelRange struct {
	tag    string
	weight int
}

func newModel(languages []string, defaultLanguage string) *model {
	m := &model{defaultLanguage, map[string]string{
		"zh": "zh-Hans", "zh-cn": "zh-Hans", "zh-sg": "zh-Hans", "cmn": "zh-Hans",
		"zh-tw": "zh-Hant", "zh-hk": "zh-Hant", "zh-mo": "zh-Hant", "yue": "zh-Hant", "cmn-hant": "zh-Hant",
		"no": "nb", "nn": "nb", "sh": "sr-Latn", "cnr": "sr-Latn", "sr-me": "sr-Latn",
		"iw": "he", "in": "id", "mo": "ro", "tl": "fil",
	}}
	for _, name := range languages {
		m.translations[strings.ToLower(name)] = name
	}
	for tag, name := range m.translations {
		if script, _ := language.MustParse(name).Script(); !modelScript.MatchString(tag) {
			base, rest, _ := strings.Cut(tag, "-")
			tag = strings.TrimSuffix(base+"-"+strings.ToLower(script.String())+"-"+rest, "-")
			if m.translations[tag] == "" {
				m.translations[tag] = name
			}
		}
	}
	return m
}

var (
	modelTag    = regexp.MustCompile(`^(\*|[a-z]{1,8}(-[a-z0-9]{1,8})*)$`)
	modelScript = regexp.MustCompile(`^[a-z]{1,8}-[a-z]{4}(-|$)`)
	modelWeight = regexp.MustCompile(`^[01](\.[0-9]*)?$`)
)

func (m *model) choose(header string) string {
	ranges := m.read(header)
	byWeight := slices.Clone(ranges)
	slices.SortStableFunc(byWeight, func(a, b modelRange) int { return cmp.Compare(b.weight, a.weight) })
	for _, r := range byWeight {
		if r.weight == 0 {
			break
		}
		if r.tag != "*" {
			if tag := m.truncate(r.tag); tag != "" && !m.excluded(tag, ranges) {
				return m.translations[tag]
			}
		} else if !slices.ContainsFunc(ranges, m.namesDefault) {
			return m.defaultLanguage
		}
	}
	return m.defaultLanguage
}

func (m *model) read(header string) (ranges []modelRange) {
	if len(header) > locales.MaxBytes {
		end := strings.LastIndexByte(header[:locales.MaxBytes+1], ',')
		header = header[:max(end, 0)]
	}
	elements := strings.Split(header, ",")
	for _, element := range elements[:min(len(elements), locales.MaxRanges)] {
		parts := strings.Split(element, ";")
		r := modelRange{strings.ToLower(strings.Trim(parts[0], " \t")), 1000}
		for _, param := range parts[1:] {
			if name, value, ok := strings.Cut(strings.Trim(param, " \t"), "="); ok && (name == "q" || name == "Q") {
				r.weight = weigh(value)
			}
		}
		if modelTag.MatchString(r.tag) {
			ranges = append(ranges, r)
		}
	}
	return ranges
}

// weigh returns q in thousandths.
func weigh(value string) int {
	if !modelWeight.MatchString(value) {
		return 1000
	}
	whole, decimals, _ := strings.Cut(value, ".")
	thousandths, _ := strconv.Atoi(whole + (decimals + "000")[:3])
	if thousandths == 0 && strings.Trim(decimals, "0") != "" {
		return 1
	}
	return min(thousandths, 1000)
}

// truncate returns the first part of a range that has a translation, or "".
func (m *model) truncate(tag string) string {
	script := modelScript.MatchString(tag)
	for m.translations[tag] == "" || script && !modelScript.MatchString(tag) {
		end := strings.LastIndexByte(tag, '-')
		if end < 0 {
			return ""
		}
		tag = tag[:end]
	}
	return tag
}

// excluded reports whether a range that is longer than the alias excludes the
// translation that another range finds by the alias.
func (m *model) excluded(tag string, ranges []modelRange) bool {
	name := m.translations[tag]
	own := strings.ToLower(name)
	if tag == own || modelScript.MatchString(tag) && strings.HasPrefix(tag, own+"-") {
		return false
	}
	return slices.ContainsFunc(ranges, func(r modelRange) bool {
		return r.weight == 0 && m.translations[r.tag] == name && len(r.tag) > len(tag)
	})
}

// namesDefault reports whether a range other than "*" finds or excludes the
// default language.
func (m *model) namesDefault(r modelRange) bool {
	if r.tag == "*" {
		return false
	}
	if r.weight > 0 {
		return m.translations[m.truncate(r.tag)] == m.defaultLanguage
	}
	for tag, name := range m.translations {
		if name == m.defaultLanguage && strings.HasPrefix(tag+"-", r.tag+"-") {
			return true
		}
	}
	return false
}
