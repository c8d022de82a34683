// Command prose counts sentences of the product that a native engineer would write in
// another way: in comments, in messages, and in pages. The numbers in counts.txt are the
// most that are allowed, and may only fall.
//
//	go run tools/prose/main.go          fails if a number of counts.txt has grown, or could be lowered
//	go run tools/prose/main.go -lower   lowers the numbers
//	go run tools/prose/main.go -list 3  prints the paragraphs that match the third pattern
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const counts = "tools/prose/counts.txt"

// row is a pattern, and how many paragraphs may match it.
type row struct {
	allowed int
	pattern *regexp.Regexp
}

// paragraph is a sentence or several, with the line breaks of the source taken out.
type paragraph struct {
	place, text string
}

func main() {
	log.SetFlags(0)
	lower := flag.Bool("lower", false, "lower the numbers")
	list := flag.Int("list", 0, "print what matches the pattern of this number, from 1")
	flag.Parse()
	if err := run(*lower, *list); err != nil {
		log.Fatal("prose: ", err)
	}
}

func run(lower bool, list int) error {
	rows, err := read()
	if err != nil {
		return err
	}
	product, err := collect()
	if err != nil {
		return err
	}
	var mistakes []error
	for i := range rows {
		found := 0
		for _, p := range product {
			if !rows[i].pattern.MatchString(p.text) {
				continue
			}
			if found++; list == i+1 {
				fmt.Printf("%s: %s\n", p.place, p.text)
			}
		}
		switch {
		case found > rows[i].allowed:
			mistakes = append(mistakes, fmt.Errorf("%d paragraphs match %s, and %d are allowed: "+
				"`go run tools/prose/main.go -list %d` prints them; write them as CONTRIBUTING.md says",
				found, rows[i].pattern, rows[i].allowed, i+1))
		case found < rows[i].allowed && !lower:
			mistakes = append(mistakes, fmt.Errorf("only %d paragraphs match %s now, not %d: "+
				"run `go run tools/prose/main.go -lower`",
				found, rows[i].pattern, rows[i].allowed))
		}
		rows[i].allowed = min(rows[i].allowed, found)
	}
	if lower {
		if err := write(rows); err != nil {
			return err
		}
	}
	if list > 0 {
		return nil
	}
	return errors.Join(mistakes...)
}

func read() (rows []row, err error) {
	data, err := os.ReadFile(counts)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		number, pattern, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		allowed, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", counts, err)
		}
		compiled, err := regexp.Compile(strings.TrimSpace(pattern))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", counts, err)
		}
		rows = append(rows, row{allowed, compiled})
	}
	return rows, nil
}

func write(rows []row) error {
	var out bytes.Buffer
	for _, r := range rows {
		fmt.Fprintf(&out, "%d %s\n", r.allowed, r.pattern)
	}
	return os.WriteFile(counts, out.Bytes(), 0o600)
}

// notProduct are the folders of what users do not import, and a page whose texts are in code.
var notProduct = []string{"examples/", "bench/", "tools/", "conformance/cases/", "docs/findings.md"}

// collect returns the paragraphs of the product: without tests, examples and tools.
func collect() (all []paragraph, err error) {
	listed, err := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.go", "*.md").
		Output() //nolint:noctx // it ends at once
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	for path := range strings.FieldsSeq(string(listed)) {
		isBelow := func(folder string) bool { return strings.HasPrefix(path, folder) }
		skipped := strings.HasSuffix(path, "_test.go") || slices.ContainsFunc(notProduct, isBelow)
		data, err := os.ReadFile(path)
		switch {
		case skipped, errors.Is(err, os.ErrNotExist): // removed, and not committed yet
			continue
		case err != nil:
			return nil, err
		}
		paragraphs := ofPage
		if filepath.Ext(path) == ".go" {
			paragraphs = ofCode
		}
		some, err := paragraphs(path, data)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// joiner joins lines to paragraphs.
type joiner struct {
	path  string
	line  int // of the first one
	lines []string
	all   []paragraph
}

func (j *joiner) add(line int, text string) {
	if len(j.lines) == 0 {
		j.line = line
	}
	j.lines = append(j.lines, strings.TrimSpace(text))
}

func (j *joiner) end() {
	if len(j.lines) > 0 {
		j.all = append(j.all, paragraph{fmt.Sprintf("%s:%d", j.path, j.line), strings.Join(j.lines, " ")})
	}
	j.lines = nil
}

// ofCode returns the paragraphs of comments, without code in them, and the strings of at
// least four words.
func ofCode(path string, data []byte) ([]paragraph, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, data, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	j := &joiner{path: path}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			text := strings.TrimPrefix(comment.Text, "//")
			if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "\t") {
				j.end()
				continue
			}
			j.add(set.Position(comment.Pos()).Line, text)
		}
		j.end()
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && len(strings.Fields(text)) >= 4 {
				j.add(set.Position(n.Pos()).Line, strings.ReplaceAll(text, "\n", " "))
				j.end()
			}
		}
		return true
	})
	return j.all, nil
}

// item begins a row of a table, a heading, or an item of a list.
var item = regexp.MustCompile(`^([|#]|- |\d+\. )`)

// ofPage returns the paragraphs, items and rows of a page, without its blocks of code.
func ofPage(path string, data []byte) ([]paragraph, error) {
	j := &joiner{path: path}
	isCode := false
	lines := bufio.NewScanner(bytes.NewReader(data))
	for number := 1; lines.Scan(); number++ {
		text := strings.TrimSpace(lines.Text())
		switch {
		case strings.HasPrefix(text, "```"):
			isCode = !isCode
			j.end()
		case isCode:
		case text == "":
			j.end()
		case item.MatchString(text):
			j.end()
			fallthrough
		default:
			j.add(number, text)
		}
	}
	j.end()
	return j.all, lines.Err()
}
