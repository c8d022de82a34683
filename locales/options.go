package locales

import (
	"io/fs"

	"github.com/nicksnyder/go-i18n/v2/i18n"
)

// Option changes what [New] builds.
type Option func(*settings)

type settings struct {
	defaultLanguage string
	languages       []string // empty: all
	fileSystems     []fs.FS
	formats         map[string]i18n.UnmarshalFunc
}

// WithDefaultLanguage sets the language for clients that name no available language.
// Optional. Default value: "en".
//
// The tag is one of [Translator.Languages].
func WithDefaultLanguage(tag string) Option {
	return func(s *settings) { s.defaultLanguage = tag }
}

// WithLanguages offers only the given languages, for example those that a colleague
// can proofread. They must include the default language. Optional. Default value:
// all languages.
func WithLanguages(tags ...string) Option {
	return func(s *settings) { s.languages = append(s.languages, tags...) }
}

// WithFS adds the message files of go-i18n at the root of fsys, which are named
// "active.<language>.toml", or "<language>.json"; [WithUnmarshal] adds other formats. A
// file adds its language, or overrides messages of an existing language. Messages of the
// service in it are ignored. Optional, and may be repeated: later files override earlier
// ones.
//
//	//go:embed active.*.toml
//	var messages embed.FS
//
//	translator, err := locales.New(locales.WithFS(messages))
//
// A new language that lacks messages takes them from the more general language, as
// de-AT does from de, or else from English. So a message that a later release of
// Verso adds does not keep a service from starting.
func WithFS(fsys fs.FS) Option {
	return func(s *settings) { s.fileSystems = append(s.fileSystems, fsys) }
}

// WithUnmarshal reads files of [WithFS] in another format than TOML and JSON. The format
// is the end of their names, and the function that of its package, as for
// [i18n.Bundle.RegisterUnmarshalFunc]:
//
//	locales.New(locales.WithFS(messages), locales.WithUnmarshal("yaml", yaml.Unmarshal))
func WithUnmarshal(format string, unmarshal func(data []byte, v any) error) Option {
	return func(s *settings) { s.formats[format] = unmarshal }
}
