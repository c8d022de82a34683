package locales_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/locales"
)

func files(namesAndTexts ...string) fstest.MapFS {
	fsys := make(fstest.MapFS)
	for i := 0; i < len(namesAndTexts); i += 2 {
		fsys[namesAndTexts[i]] = &fstest.MapFile{Data: []byte(namesAndTexts[i+1])}
	}
	return fsys
}

func TestWithFSOverridesMessages(t *testing.T) {
	translator := newTranslator(t,
		locales.WithFS(files("active.de.toml", `
			not_acceptable = "Das können wir nicht liefern."
			[title_not_acceptable]
			other = "Geht nicht"
			`, "README.md", "not a message file", "translate.de.toml", "nor is this")),
		locales.WithFS(files("active.de.toml", `title_not_acceptable = "Geht leider nicht"`)),
	)
	_, plain := newTranslator(t).Messages("de")

	language, messages := translator.Messages("de-CH")

	assert.Equal(t, "de", language)
	assert.Equal(t, "Das können wir nicht liefern.", messages[source.NotAcceptableMessage])
	assert.Equal(t, "Geht leider nicht", messages[verso.ProblemTitle(source.NotAcceptableMessage)], "the later file system counts")
	assert.Equal(t, plain[source.InvalidURLPathVersion], messages[source.InvalidURLPathVersion], "the others stay")
	assert.NotEqual(t, plain[source.NotAcceptableMessage], messages[source.NotAcceptableMessage], "other translators stay as they are")
}

func TestWithFSAddsLanguages(t *testing.T) {
	translator := newTranslator(t, locales.WithFS(files(
		"active.en.toml", `title_not_acceptable = "No such thing"`,
		"active.de-AT.toml", `not_acceptable = "Des hamma net."`,
		"active.zh.toml", `not_acceptable = "不行。"`,
		"active.art-x-pirate.toml", `not_acceptable = "Arr."`,
		"active.iw.toml", `not_acceptable = "אין."`,
		"active.la.toml", `not_acceptable = "Non licet."`, // which has no plural rules in go-i18n
	)))
	tests := []struct {
		name, header, wantLanguage, wantText string
	}{
		{"region", "de-AT-1996", "de-AT", "Des hamma net."},
		{"region with its script", "de-Latn-AT", "de-AT", "Des hamma net."},
		{"a language of that name comes before an alias", "zh", "zh", "不行。"},
		{"private language", "art-x-pirate-parrot", "art-x-pirate", "Arr."},
		{"language without plural rules", "la", "la", "Non licet."},
		{"former code overrides the language", "he", "he", "אין."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			language, messages := translator.Messages(test.header)
			assert.Equal(t, test.wantLanguage, language)
			assert.Equal(t, test.wantText, messages[source.NotAcceptableMessage])
		})
	}

	_, messages := translator.Messages("art-x-pirate")
	assert.Len(t, messages, 1, "what is missing is left out")
	_, messages = translator.Messages("en")
	assert.Equal(t, "No such thing", messages[verso.ProblemTitle(source.NotAcceptableMessage)], "and Verso sends the service's English")
	_, messages = translator.Messages("de-AT")
	assert.Equal(t, "Nicht akzeptabel", messages[verso.ProblemTitle(source.NotAcceptableMessage)], "what Austrian German lacks is German")
	_, messages = translator.Messages("zh-CN")
	assert.Equal(t, "不可接受", messages[verso.ProblemTitle(source.NotAcceptableMessage)], "zh-CN still finds zh-Hans")
}

func TestWithFSRejectsBadFiles(t *testing.T) {
	tests := []struct {
		name   string
		option locales.Option
		want   string
	}{
		{
			"unknown message",
			locales.WithFS(files("active.de.toml", `not_aceptable = "Nein"`)),
			`locales: file "active.de.toml": unknown message "not_aceptable": write "not_acceptable", or give`,
		},
		{
			"unknown nested message",
			locales.WithFS(files("active.de.toml", "[verso]\nnot_acceptable = \"Nein\"")),
			`locales: file "active.de.toml": unknown message "verso.not_acceptable": write "not_acceptable", or give`,
		},
		{
			"message without text",
			locales.WithFS(files("active.de.toml", "[not_acceptable]\none = \"Nein\"")),
			`locales: file "active.de.toml": message "not_acceptable" has no text: set "other"`,
		},
		{
			"blank text",
			locales.WithFS(files("active.de.toml", `not_acceptable = " "`)),
			`locales: file "active.de.toml": message "not_acceptable" has no text`,
		},
		{
			"template",
			locales.WithFS(files("active.de.toml", `not_acceptable = "Nein, {{.Name}}"`)),
			`locales: file "active.de.toml": message "not_acceptable" is a template, but has nothing to insert: write plain text`,
		},
		{
			"broken template",
			locales.WithFS(files("active.de.toml", `not_acceptable = "Nein, {{"`)),
			`locales: file "active.de.toml": message "not_acceptable" is a template`,
		},
		{
			"not TOML",
			locales.WithFS(files("active.de.toml", `{"not_acceptable": "Nein"}`)),
			`locales: file "active.de.toml": toml: line 1`,
		},
		{
			"not UTF-8",
			locales.WithFS(files("active.de.toml", "not_acceptable = \"N\xe9in\"")),
			`locales: file "active.de.toml": toml: `,
		},
		{
			"a message where messages should be",
			locales.WithFS(files("active.de.toml", `other = "Nein"`)),
			`locales: file "active.de.toml": the file is a single message: write each message under its ID`,
		},
		{
			"empty file",
			locales.WithFS(files("active.de.toml", "")),
			`locales: file "active.de.toml": the file has no messages: add some, or remove the file`,
		},
		{
			"no language",
			locales.WithFS(files("active.german!.toml", `not_acceptable = "Nein"`)),
			`locales: file "active.german!.toml": "german!" is not a language: name the file after a language tag (BCP 47), as in "active.pt-BR.toml"`,
		},
		{
			"undetermined language",
			locales.WithFS(files("active.und.toml", `not_acceptable = "Nein"`)),
			`locales: file "active.und.toml": "und" is not a language`,
		},
		{
			"messages of the service only",
			locales.WithFS(files("active.de.toml", `hello = "Hallo"`, "fr.json", `{"hello": "Bonjour"}`)),
			`locales: no file has a message of Verso: use one of the IDs invalid_accept_header_version, `,
		},
		{
			"a format that nothing reads",
			locales.WithFS(files("active.de.yaml", `not_acceptable: Nein`)),
			`locales: file "active.de.yaml": nothing reads the format "yaml": use WithUnmarshal`,
		},
		{
			"folder",
			locales.WithFS(files("active.de.toml/x", "")),
			`locales: file "active.de.toml": read active.de.toml: `,
		},
		{
			"files in a folder",
			locales.WithFS(files("messages/active.de.toml", `not_acceptable = "Nein"`)),
			`locales: no file at the root of the file system is named "active.<language>.toml": if the files are in a folder, use fs.Sub`,
		},
		{
			"folder that is not there",
			locales.WithFS(os.DirFS("does/not/exist")),
			`locales: open .: no such file or directory`,
		},
		{
			"nil",
			locales.WithFS(nil),
			`locales: the file system is nil`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			translator, err := locales.New(test.option)
			require.ErrorContains(t, err, test.want)
			assert.Nil(t, translator)
		})
	}
}

// The files are those that go-i18n reads for the service, with its own messages.
func TestWithFSReadsFilesOfGoI18n(t *testing.T) {
	const own = `hello = "Hallo"
		[cats]
		one = "{{.Count}} Katze"
		other = "{{.Count}} Katzen"
		[errors]
		invalid_version = "Unsinn"
		`
	for name, fsys := range map[string]fstest.MapFS{
		"TOML":                    files("active.de.toml", own+"[not_acceptable]\nother = \"Nein\""),
		"TOML, short name":        files("de.toml", `not_acceptable = "Nein"`),
		"JSON":                    files("active.de.json", `{"hello": "Hallo", "not_acceptable": {"other": "Nein"}}`),
		"JSON, short name":        files("de.json", `{"not_acceptable": "Nein"}`, "settings.json", `[]`, "package.json", `{}`),
		"JSON, version 1":         files("de.json", `[{"id": "hello", "translation": "Hallo"}, {"id": "not_acceptable", "translation": "Nein"}]`),
		"YAML":                    files("active.de.yaml", "hello: Hallo\nnot_acceptable:\n  other: Nein\n", "go.yaml", "x: y"),
		"a language without them": files("active.de.toml", `not_acceptable = "Nein"`, "active.fr.toml", `hello = "Bonjour"`, "active.tlh.toml", `hello = "nuqneH"`),
	} {
		t.Run(name, func(t *testing.T) {
			translator := newTranslator(t, locales.WithFS(fsys), locales.WithUnmarshal("yaml", yaml.Unmarshal))
			language, messages := translator.Messages("de")
			assert.Equal(t, "de", language)
			assert.Equal(t, "Nein", messages[source.NotAcceptableMessage])
			assert.Len(t, messages, len(verso.EnglishMessages()), "no messages of the service")
			assert.Equal(t, newTranslator(t).Languages(), translator.Languages(), "no languages without a message of Verso")
		})
	}
}

// The languages that are named are read as all are, with what they fall back to.
func TestWithLanguagesReadsTheSame(t *testing.T) {
	all := newTranslator(t)
	for _, name := range all.Languages() {
		some := newTranslator(t, locales.WithLanguages(name), locales.WithDefaultLanguage(name))
		language, messages := some.Messages(name)
		wantLanguage, want := all.Messages(name)
		assert.Equal(t, wantLanguage, language)
		assert.Equal(t, want, messages, name)
	}
	austrian := newTranslator(t, locales.WithFS(files("active.de-AT.toml", `not_acceptable = "Des hamma net."`)), locales.WithLanguages("en", "de-AT"))
	_, messages := austrian.Messages("de-AT")
	assert.Equal(t, "Nicht akzeptabel", messages[verso.ProblemTitle(source.NotAcceptableMessage)], "German, which is not offered")
	assert.Equal(t, []string{"de-AT", "en"}, austrian.Languages())
}

// Languages that are not offered are not read.
func TestWithLanguagesReadsNoOthers(t *testing.T) {
	start := func(options ...locales.Option) float64 {
		return testing.AllocsPerRun(3, func() { newTranslator(t, options...) })
	}
	assert.Less(t, 20*start(locales.WithLanguages("en", "de")), start())
}
