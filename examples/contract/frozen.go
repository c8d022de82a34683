// Package contract keeps the contract of a version: while the version lives, its document
// changes only in ways that break no client. oasdiff finds the others.
package contract

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi"
)

// Frozen compares the document of each version with the file of the version in a folder,
// and fails the test for each change that breaks a client. VERSO_UPDATE=1 writes the files
// of versions without such a change: those of new versions, and what was added. To break
// a contract on purpose, delete its file.
func Frozen(tb testing.TB, whole *openapi3.T, service *verso.Explanation, folder string) {
	tb.Helper()
	for _, version := range service.Versions {
		document, err := openapi.ForVersion(whole, service, version)
		if err != nil {
			tb.Error(err)
			continue
		}
		file := filepath.Join(folder, version+".json")
		breaking, err := compare(file, document)
		update := os.Getenv("VERSO_UPDATE") != ""
		switch {
		case errors.Is(err, fs.ErrNotExist) && !update:
			tb.Errorf("%s is missing: VERSO_UPDATE=1 go test writes it", file)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			tb.Errorf("%s: %v", file, err)
		case len(breaking) > 0:
			for _, change := range breaking {
				tb.Errorf("version %s: %s %s: %s", version, change.GetOperation(), change.GetPath(), change.GetUncolorizedText(checker.NewDefaultLocalizer()))
			}
		case update:
			if err := write(file, document); err != nil {
				tb.Error(err)
			}
		}
	}
}

// compare returns the changes from a file to a document that break a client.
func compare(file string, document *openapi3.T) (checker.Changes, error) {
	if _, err := os.Stat(file); err != nil {
		return nil, err
	}
	before, err := openapi3.NewLoader().LoadFromFile(file)
	if err != nil {
		return nil, err
	}
	report, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), &load.SpecInfo{Spec: before}, &load.SpecInfo{Spec: document})
	if err != nil {
		return nil, err
	}
	// Clients read members that a response need not have. For oasdiff it is no error if they go.
	severe := checker.WithSeverityLevels(map[string]checker.Level{checker.ResponseOptionalPropertyRemovedId: checker.ERR})
	return checker.CheckBackwardCompatibility(checker.NewConfig(checker.GetAllChecks(), severe), report, sources), nil
}

func write(file string, document *openapi3.T) error {
	text, err := document.MarshalJSON()
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o600))
}
