package locales_test

import (
	"fmt"
	"testing/fstest"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/locales"
)

func ExampleNew() {
	translator, err := locales.New()
	if err != nil {
		panic(err)
	}
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Translator: translator})

	fmt.Println(api.Versions())
	// Output: [v1 v2]
}

func ExampleWithDefaultLanguage() {
	translator, err := locales.New(locales.WithDefaultLanguage("fr"))
	if err != nil {
		panic(err)
	}

	language, messages := translator.Messages("de-CH,de;q=0.9,en;q=0.8")
	fmt.Println(language, messages[source.InvalidURLPathVersion])

	language, messages = translator.Messages("")
	fmt.Println(language, messages[source.InvalidURLPathVersion])
	// Output:
	// de Ungültige Version im URL-Pfad.
	// fr Version non valide dans le chemin de l'URL.
}

func ExampleWithFS() {
	// A service has these files in a folder, embedded or not.
	files := fstest.MapFS{
		"active.en.toml": {Data: []byte(`
			title_invalid_version = "No such version of the Acme API"
		`)},
		"active.de-AT.toml": {Data: []byte(`
			invalid_url_path_version = "Diese Version gibt es nicht."
		`)},
	}
	translator, err := locales.New(locales.WithFS(files))
	if err != nil {
		panic(err)
	}

	language, messages := translator.Messages("de-AT")
	fmt.Println(language, messages[source.InvalidURLPathVersion])

	language, messages = translator.Messages("en")
	fmt.Println(language, messages[verso.ProblemTitle(source.InvalidVersion)])
	// Output:
	// de-AT Diese Version gibt es nicht.
	// en No such version of the Acme API
}

func ExampleTranslator_Languages() {
	translator, err := locales.New(locales.WithLanguages("en", "ja", "ar"))
	if err != nil {
		panic(err)
	}
	fmt.Println(translator.Languages())
	// Output: [ar en ja]
}

func ExampleTranslator_Messages() {
	translator, err := locales.New()
	if err != nil {
		panic(err)
	}
	for _, header := range []string{"zh-TW", "no", "en;q=0.5,ja", "tlh", "*"} {
		language, _ := translator.Messages(header)
		fmt.Printf("%s: %s\n", header, language)
	}
	// Output:
	// zh-TW: zh-Hant
	// no: nb
	// en;q=0.5,ja: ja
	// tlh: en
	// *: en
}

// A service that uses go-i18n has one bundle, with its own messages and those of Verso.
func ExampleFromBundle() {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	for _, file := range []string{"active.en.toml", "active.de.toml"} {
		if _, err := bundle.LoadMessageFileFS(locales.Files(), file); err != nil {
			panic(err)
		}
	}
	bundle.MustParseMessageFileBytes([]byte(`hello = "Servus"`), "active.de.toml") // of the service

	translator, err := locales.FromBundle(bundle)
	if err != nil {
		panic(err)
	}
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Translator: translator})

	fmt.Println(api.Versions())
	language, messages := translator.Messages("de-CH,de;q=0.9")
	fmt.Println(language, messages[source.InvalidURLPathVersion])
	fmt.Println(i18n.NewLocalizer(bundle, "de-CH,de;q=0.9").Localize(&i18n.LocalizeConfig{MessageID: "hello"}))
	// Output:
	// [v1 v2]
	// de Ungültige Version im URL-Pfad.
	// Servus <nil>
}

func ExampleWithUnmarshal() {
	files := fstest.MapFS{"active.de.yaml": {Data: []byte(`
hello: Servus
invalid_url_path_version: Diese Version gibt es nicht.
`)}}
	translator, err := locales.New(locales.WithFS(files), locales.WithUnmarshal("yaml", yaml.Unmarshal))
	if err != nil {
		panic(err)
	}
	language, messages := translator.Messages("de")
	fmt.Println(language, messages[source.InvalidURLPathVersion])
	// Output: de Diese Version gibt es nicht.
}
