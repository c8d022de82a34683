package locales

import "io/fs"

// Option changes what [New] builds.
type Option func(*settings)

type settings struct {
	defaultLanguage string
	languages       []string // empty: all
	fileSystems     []fs.FS
}

// WithDefaultLanguage sets the language of clients that name no language or
// only languages that are not there. Optional. Default value: "en".
//
// The tag is one of [Translator.Languages].
func WithDefaultLanguage(tag string) Option {
	return func(s *settings) { s.defaultLanguage = tag }
}

// WithLanguages offers only the given languages, which must include the default
// language: for instance those that a colleague can proofread. Optional. Default
// value: all languages.
func WithLanguages(tags ...string) Option {
	return func(s *settings) { s.languages = append(s.languages, tags...) }
}

// WithFS adds the message files at the root of fsys, which are called
// "active.<language>.toml". A file adds its language or, when the language is
// there already, overrides those of its messages that the file has. Optional, and
// may be repeated; later ones override earlier ones.
//
//	//go:embed active.*.toml
//	var messages embed.FS
//
//	translator, err := locales.New(locales.WithFS(messages))
//
// A new language that lacks messages has those of the language that its tag
// narrows, as de-AT does with de, or else the English ones. A message that a
// later release of Verso adds does not keep a service from starting.
func WithFS(fsys fs.FS) Option {
	return func(s *settings) { s.fileSystems = append(s.fileSystems, fsys) }
}
