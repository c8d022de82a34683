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
// only languages that are not there. Optional. Default value "en".
//
// The tag is that of a catalogue: see [Translator.Languages].
func WithDefaultLanguage(tag string) Option {
	return func(s *settings) { s.defaultLanguage = tag }
}

// WithLanguages offers only the given languages, the default language among
// them: for instance those that somebody in the house can proofread. Optional.
// By default all languages are offered.
func WithLanguages(tags ...string) Option {
	return func(s *settings) { s.languages = append(s.languages, tags...) }
}

// WithFS adds the catalogues at the root of fsys, which are the files that are
// called "active.<language>.toml". Each adds a language or, when there is a
// catalogue for the language already, overrides those of its messages that it
// has. Optional, and may be repeated; later ones override earlier ones.
//
//	//go:embed active.*.toml
//	var catalogues embed.FS
//
//	translator, err := locales.New(locales.WithFS(catalogues))
//
// A new language that lacks messages has those of the language that its tag
// narrows, as de-AT does with de, or else the English ones. A message that a
// later release of Verso adds does not keep a service from starting.
func WithFS(fsys fs.FS) Option {
	return func(s *settings) { s.fileSystems = append(s.fileSystems, fsys) }
}
