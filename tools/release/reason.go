package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// reasons say why a module of go.work requires a module directly. They stand in
// docs/dependencies.md.
var reasons = map[string]string{
	"github.com/goverso/verso/core":        "The schemes and the messages: what there is to install, to test and to translate.",
	"github.com/goverso/verso/conformance": "The cases that the tests run.",
	"github.com/labstack/echo/v4":          "The framework that the adapter is for.",
	"github.com/labstack/echo/v5":          "The framework that the adapter is for.",
	"github.com/gin-gonic/gin":             "The framework that the adapter is for.",
	"github.com/nicksnyder/go-i18n/v2":     "Finds the message of a language, in the catalogues' format that translators' tools read.",
	"github.com/BurntSushi/toml":           "Reads the catalogues; go-i18n leaves the choice of a decoder to its users.",
	"golang.org/x/text":                    "Matches Accept-Language with the languages there are (BCP 47), which the standard library does not.",
	"github.com/stretchr/testify":          "The assertions of the tests.",
}

// checkReasons returns an error unless the reasons are those of the modules that
// the given modules require directly, no more and no less.
func checkReasons(modules []*workspaceModule, reasons map[string]string) error {
	var wrong []error
	direct := make(map[string]bool)
	for _, m := range modules {
		for _, required := range m.file.Require {
			path := required.Mod.Path
			if required.Indirect {
				continue
			}
			if reasons[path] == "" && !direct[path] {
				wrong = append(wrong, fmt.Errorf("%s:%d requires %s, and nothing says why: do without it, or add a line to reasons in tools/release/reason.go",
					m.goMod(), required.Syntax.Start.Line, path))
			}
			direct[path] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(reasons)) {
		if !direct[path] {
			wrong = append(wrong, fmt.Errorf("no module requires %s any more: remove its line from reasons in tools/release/reason.go", path))
		}
	}
	return errors.Join(wrong...)
}
