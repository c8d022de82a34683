package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/google/licensecheck"
)

// accepted are the licences, by their SPDX identifiers, whose code may be part
// of a program under any licence, MIT included, if their notices are kept.
var accepted = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}

// recognised is how much of a licence's text must be known, in percent.
// Copyright lines are no part of a licence, so short texts do not reach 100.
const recognised = 75

var licenceFile = regexp.MustCompile(`(?i)^(licen[sc]e|copying|unlicense)`)

// readLicences returns the SPDX identifiers of the licences of a module in dir,
// as far as packages in the given folders of it are concerned: those in these
// folders and in the ones above.
func readLicences(dir string, packages []string) ([]string, error) {
	folders := map[string]bool{dir: true}
	for _, folder := range packages {
		for ; len(folder) > len(dir); folder = filepath.Dir(folder) {
			folders[folder] = true
		}
	}
	var licences []string
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() || !licenceFile.MatchString(entry.Name()) || filepath.Ext(entry.Name()) == ".go" {
				continue
			}
			found, err := readLicence(filepath.Join(folder, entry.Name()))
			if err != nil {
				return nil, err
			}
			licences = append(licences, found...)
		}
	}
	if len(licences) == 0 {
		return nil, errors.New("no licence file: look for a module that has one")
	}
	slices.Sort(licences)
	return slices.Compact(licences), nil
}

// readLicence returns the identifiers of the licences in a file. It fails for
// one that is not accepted.
func readLicence(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	coverage := licensecheck.Scan(text)
	if coverage.Percent < recognised {
		return nil, fmt.Errorf("%s: only %.0f %% of it is the text of a known licence: do without the module", filepath.Base(file), coverage.Percent)
	}
	var licences []string
	for _, match := range coverage.Match {
		if !slices.Contains(accepted, match.ID) {
			return nil, fmt.Errorf("%s: the licence %s is not among those that MIT goes with (%q): do without the module, or add the licence to accepted in tools/release/licence.go, with a reason",
				filepath.Base(file), match.ID, accepted)
		}
		licences = append(licences, match.ID)
	}
	return licences, nil
}
