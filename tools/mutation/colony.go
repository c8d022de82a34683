package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// colony has many mutants in one build, which saves a build for each: before
// the body of a function stand its mutants, each behind a question which one is
// to be run. Mutants outside of functions are left to [lab.testAlone].
type colony struct {
	lab      *lab
	mutants  []mutant
	verdicts []verdict // invalid where a mutant does not compile
	binaries map[string]string
}

// question is the file that each package gets.
const question = `package %s

import "os"

// mutant is the number of the mutant that is to be run, "" for none.
var mutant = os.Getenv("MUTANT")
`

// grow builds a colony. Mutants that do not compile are left out of it.
func grow(ctx context.Context, l *lab, mutants []mutant) (*colony, error) {
	c := &colony{l, mutants, make([]verdict, len(mutants)), make(map[string]string)}
	for {
		folder, err := l.overlay(c.files())
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			binary, err := l.build(ctx, s, folder)
			if notCompiled, ok := errors.AsType[*errBuild](err); ok {
				if !c.exclude(notCompiled.output) {
					return nil, err
				}
				c.binaries = make(map[string]string)
				break
			}
			if err != nil {
				return nil, err
			}
			c.binaries[s.folder] = binary
		}
		if len(c.binaries) == len(all) {
			return c, c.check(ctx)
		}
	}
}

// check checks that the tests pass as long as no mutant is run.
func (c *colony) check(ctx context.Context) error {
	for _, s := range all {
		ok, err := c.lab.passes(ctx, s, c.binaries[s.folder], "MUTANT=")
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("the tests of %s fail without a mutant", s.folder)
		}
	}
	return nil
}

// place is where the compiler finds an error: see [colony.files].
var place = regexp.MustCompile(`(?m)^[^:\n]*mutant([0-9]+):`)

// exclude takes the mutants out that the compiler names.
func (c *colony) exclude(output []byte) (found bool) {
	for _, match := range place.FindAllSubmatch(output, -1) {
		i, err := strconv.Atoi(string(match[1]))
		if err == nil && i < len(c.mutants) && c.verdicts[i] != invalid {
			c.verdicts[i], found = invalid, true
		}
	}
	return found
}

// files returns the changed files and those with the question.
func (c *colony) files() map[string][]byte {
	files := make(map[string][]byte)
	inBody := make(map[*source]map[body][]int)
	for i, m := range c.mutants {
		if c.verdicts[i] == invalid || m.body == (body{}) {
			continue
		}
		if inBody[m.source] == nil {
			inBody[m.source] = make(map[body][]int)
		}
		inBody[m.source][m.body] = append(inBody[m.source][m.body], i)
	}
	for file, bodies := range inBody {
		var changed bytes.Buffer
		behind := 0
		for _, b := range sortedBodies(bodies) {
			changed.Write(file.text[behind : b.start+1])
			for _, i := range bodies[b] {
				m := c.mutants[i]
				fmt.Fprintf(&changed, "\n//line mutant%d:1\nif mutant == \"%d\" {%s%s%s\n",
					i, i, file.text[b.start+1:m.start], m.replacement, file.text[m.end:b.end])
				// What lacks a return would not compile by itself.
				end := `panic("missing return")`
				if !b.hasResults {
					end = "return"
				}
				changed.WriteString(end + "\n}\n")
			}
			fmt.Fprintf(&changed, "//line %s:%d\n", filepath.Base(file.name), 1+bytes.Count(file.text[:b.start], []byte("\n")))
			behind = b.start + 1
		}
		changed.Write(file.text[behind:])
		files[file.name] = changed.Bytes()
		name := filepath.Join(filepath.Dir(file.name), "mutant.go")
		files[name] = fmt.Appendf(nil, question, file.pkg)
	}
	return files
}

func sortedBodies(bodies map[body][]int) []body {
	var sorted []body
	for b := range bodies {
		sorted = append(sorted, b)
	}
	slices.SortFunc(sorted, func(a, b body) int { return a.start - b.start })
	return sorted
}

// test runs the tests on a mutant until one fails.
func (c *colony) test(ctx context.Context, i int) (verdict, error) {
	m := &c.mutants[i]
	if m.body == (body{}) {
		return c.lab.testAlone(ctx, m)
	}
	if c.verdicts[i] == invalid {
		return invalid, nil
	}
	for _, s := range suites(m.name) {
		ok, err := c.lab.passes(ctx, s, c.binaries[s.folder], "MUTANT="+strconv.Itoa(i))
		if !ok || err != nil {
			return killed, err
		}
	}
	return survived, nil
}
