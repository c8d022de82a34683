package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// quickstart is a program that users are told to begin with.
type quickstart struct {
	places  []string // where it is shown: "README.md", "examples/quickstart/gin"
	source  string
	adapter *workspaceModule // that it imports
}

func (q *quickstart) String() string {
	return strings.Join(q.places, " and ")
}

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// readQuickstarts returns the programs of the README and of
// examples/quickstart in the folder root. Two that are the same are one.
func readQuickstarts(root string, modules []*workspaceModule) ([]*quickstart, error) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	var all []*quickstart
	add := func(place, source string) error {
		for _, q := range all {
			if strings.TrimSpace(q.source) == strings.TrimSpace(source) {
				q.places = append(q.places, place)
				return nil
			}
		}
		adapter, err := importedAdapter(source, modules)
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		if adapter != nil {
			all = append(all, &quickstart{[]string{place}, source, adapter})
		}
		return nil
	}
	for _, block := range goBlock.FindAllStringSubmatch(string(readme), -1) {
		if err := add("README.md", block[1]); err != nil {
			return nil, err
		}
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("README.md shows %d programs with an adapter instead of one for Echo and one for Gin at least", len(all))
	}
	folders, err := filepath.Glob(filepath.Join(root, "examples", "quickstart", "*"))
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		source, err := os.ReadFile(filepath.Join(folder, "main.go"))
		if err != nil {
			return nil, err
		}
		if err := add("examples/quickstart/"+filepath.Base(folder), string(source)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// importedAdapter returns the adapter that a program imports, nil if the source
// is no program or imports something of this repository that nobody can get.
func importedAdapter(source string, modules []*workspaceModule) (*workspaceModule, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ImportsOnly)
	if err != nil || file.Name.Name != "main" {
		return nil, err
	}
	var adapter *workspaceModule
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		switch m := moduleOf(modules, path); {
		case m == nil:
		case !m.isLibrary():
			return nil, nil
		case m.isAdapter():
			adapter = m
		}
	}
	return adapter, nil
}

// question is a request that the README sends to a quickstart, and its answer.
type question struct {
	url  string
	want string
}

// readmeHost is where the README's commands find the quickstart.
const readmeHost = "localhost:8080"

var (
	consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")
	curlCommand  = regexp.MustCompile(`^\$ curl (http://` + readmeHost + `\S*)$`)
)

// readQuestions returns the requests that a page sends with curl.
func readQuestions(page string) ([]question, error) {
	var questions []question
	for _, block := range consoleBlock.FindAllStringSubmatch(page, -1) {
		asked := false
		for line := range strings.Lines(block[1]) {
			line = strings.TrimSuffix(line, "\n")
			switch match := curlCommand.FindStringSubmatch(line); {
			case match != nil:
				questions = append(questions, question{url: match[1]})
				asked = true
			case strings.HasPrefix(line, "$ curl "):
				return nil, fmt.Errorf("%q is not of the form that the check understands, $ curl http://%s/PATH", line, readmeHost)
			case strings.HasPrefix(line, "$ "):
				asked = false
			case asked:
				questions[len(questions)-1].want += line + "\n"
			}
		}
	}
	if len(questions) == 0 {
		return nil, errors.New("no command $ curl is shown, so nothing says what a quickstart answers")
	}
	return questions, nil
}

// at returns the question for a quickstart at another address.
func (q question) at(address string) question {
	return question{strings.ReplaceAll(q.url, readmeHost, address), strings.ReplaceAll(q.want, readmeHost, address)}
}
