package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/compare"
	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
	"github.com/goverso/verso/openapi/internal/draft/own"
	"github.com/goverso/verso/openapi/internal/draft/trial"
)

// notVersions are the other members of a frozen contract.
var notVersions = []string{"routes", "statuses", "edits", "webhooks"}

// contractOf reads a file of migratetest.Frozen, and returns its versions, the newest first, and its objects.
func contractOf(file, newest string) (versions, objects []string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	var frozen map[string]map[string]json.RawMessage
	if err := json.Unmarshal(text, &frozen); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	for version, of := range frozen {
		if slices.Contains(notVersions, version) {
			continue
		}
		versions = append(versions, version)
		for object := range of {
			objects = append(objects, object)
		}
	}
	if len(versions) == 0 {
		return nil, nil, fmt.Errorf("%s has no versions: migratetest.Frozen writes other files", file)
	}
	slices.SortFunc(versions, func(a, b string) int { return strings.Compare(padded(b), padded(a)) })
	if newest != "" && !slices.Contains(versions, newest) {
		versions = append([]string{newest}, versions...)
	}
	slices.Sort(objects)
	return versions, slices.Compact(objects), nil
}

var digits = regexp.MustCompile(`[0-9]+`)

// padded is a name in which v10 is after v9.
func padded(name string) string {
	return digits.ReplaceAllStringFunc(name, func(n string) string { return fmt.Sprintf("%020s", n) })
}

// ofContract drafts the history of a frozen contract and the types of the service, in a folder.
func ofContract(contract, newest, folder string, types *own.Package) (*compare.Draft, error) {
	versions, objects, err := contractOf(contract, newest)
	if err != nil {
		return nil, err
	}
	d := &compare.Draft{Set: gotype.NewSet(), Oldest: versions[len(versions)-1], Whole: document.Object{
		"openapi": "3.0.3", "info": document.Object{"title": "", "version": ""}, "paths": document.Object{},
		"components": document.Object{},
	}}
	var known []string
	for _, object := range objects {
		switch {
		case slices.Contains(types.Names(), object):
			known = append(known, object)
			d.Set.Add(&gotype.Type{Name: object, Given: true})
		case !strings.Contains(object, "."): // the struct of a member has no name
			d.Questions = append(d.Questions, fmt.Sprintf("%s: the contract has it, and the package has no such exported "+
				"struct: if it has another name now, write this name into %s", object, contract))
		}
	}
	proposals, err := trial.Propose(contract, folder, types.Path, known, versions)
	if err != nil {
		return nil, err
	}
	for _, version := range versions[:len(versions)-1] {
		release := &compare.Release{Version: version}
		for _, name := range known {
			of := &compare.TypeEdits{Type: name}
			for _, p := range proposals {
				if p.Release == version && p.Type == name {
					of.Edits = append(of.Edits, edit(p))
				}
			}
			if len(of.Edits) > 0 {
				release.Types = append(release.Types, of)
			}
		}
		d.Releases = append(d.Releases, release)
	}
	return d, nil
}

// edit is a proposal, whose first edit is taken.
func edit(p trial.Proposal) *compare.Edit {
	todo := p.Place
	if len(p.Edits) > 1 {
		todo += ", so this is assumed. If not, use " + strings.Join(p.Edits[1:], ", or ")
	}
	return &compare.Edit{Options: p.Edits, Todos: []string{todo}}
}
