package main

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// quickstart is a program that the README links to, with its requests.
type quickstart struct {
	file      string
	source    string
	adapter   *workspaceModule // that it imports
	questions []question
}

// question is a request, and its answer.
type question struct {
	url     string
	header  http.Header
	include bool // curl -i: want begins with the status line and fields
	want    string
}

// readmeAddress is the address of the programs of the README.
const readmeAddress = "localhost:8080"

var (
	programLink  = regexp.MustCompile(`\]\((examples/quickstart/[^)]*\.go)\)`)
	sectionLink  = regexp.MustCompile(`\]\((docs/[^)#]*\.md)#([^)]*)\)`)
	heading      = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	notInAnchor  = regexp.MustCompile(`[^\pL\pN _-]`)
	consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```")
	curlCommand  = regexp.MustCompile(`^\$ curl (-i )?((?:-H '[^']*' )*)'?(http://` + readmeAddress + `[^\s']*)'?(?: +#.*)?$`)
	curlHeader   = regexp.MustCompile(`-H '([^:']*): ([^']*)'`)
)

// readQuickstarts returns the programs that the README links to. If a line with programs
// links to a section of a page, the requests are those of the first console block there;
// otherwise they are those that follow in the README, up to the next program or heading.
func readQuickstarts(root string, readme string, modules []*workspaceModule) (all []*quickstart, err error) {
	lines := strings.SplitAfter(readme, "\n")
	for i, line := range lines {
		links := programLink.FindAllStringSubmatch(line, -1)
		if len(links) == 0 {
			continue
		}
		page, text := "README.md", requestsAfter(lines[i+1:])
		if section := sectionLink.FindStringSubmatch(line); section != nil {
			page = section[1]
			if text, err = firstBlock(root, page, section[2]); err != nil {
				return nil, err
			}
		}
		questions, err := readQuestions(page, text)
		if err != nil {
			return nil, err
		}
		for _, link := range links {
			source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(link[1])))
			if err != nil {
				return nil, err
			}
			adapter := importedAdapter(string(source), modules)
			if adapter == nil {
				return nil, fmt.Errorf("%s is no program with an adapter", link[1])
			}
			all = append(all, &quickstart{file: link[1], source: string(source), adapter: adapter, questions: questions})
		}
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("README.md links to %d programs with an adapter: "+
			"link to at least one for Echo and one for Gin", len(all))
	}
	return all, checkComplete(root, all)
}

// checkComplete returns an error for each program in examples/quickstart that the README
// does not link to.
func checkComplete(root string, linked []*quickstart) (missing error) {
	folder := filepath.Join(root, "examples", "quickstart")
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.PackageClauseOnly)
		if err != nil || file.Name.Name != "main" {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(linked, func(q *quickstart) bool { return q.file == filepath.ToSlash(name) }) {
			missing = errors.Join(missing, fmt.Errorf("README.md does not link to %s: add it to the table, or delete it", name))
		}
		return nil
	})
	return errors.Join(err, missing)
}

// requestsAfter returns the lines up to the next one with a program or a heading.
func requestsAfter(lines []string) string {
	end := slices.IndexFunc(lines, func(line string) bool {
		return programLink.MatchString(line) || heading.MatchString(line)
	})
	if end < 0 {
		end = len(lines)
	}
	return strings.Join(lines[:end], "")
}

// firstBlock returns the first console block under a heading of a page.
func firstBlock(root, page, anchor string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
	if err != nil {
		return "", err
	}
	for _, at := range heading.FindAllStringSubmatchIndex(string(text), -1) {
		title := strings.ToLower(notInAnchor.ReplaceAllString(string(text[at[2]:at[3]]), ""))
		if strings.ReplaceAll(title, " ", "-") == anchor {
			return consoleBlock.FindString(string(text[at[1]:])), nil
		}
	}
	return "", fmt.Errorf("README.md links to %s#%s: there is no such heading", page, anchor)
}

// importedAdapter returns the adapter that a program imports, or nil if the source is
// not a program or imports no adapter.
func importedAdapter(source string, modules []*workspaceModule) *workspaceModule {
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ImportsOnly)
	if err != nil || file.Name.Name != "main" {
		return nil
	}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // valid, since it was parsed
		if m := find(modules, path); m != nil && m.isAdapter() {
			return m
		}
	}
	return nil
}

// readQuestions returns the requests with curl in text, which is of a page.
func readQuestions(page, text string) (questions []question, err error) {
	for _, block := range consoleBlock.FindAllStringSubmatch(text, -1) {
		asked := false
		for line := range strings.Lines(block[1]) {
			match := curlCommand.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			switch {
			case match != nil:
				q := question{url: match[3], header: make(http.Header), include: match[1] != ""}
				for _, field := range curlHeader.FindAllStringSubmatch(match[2], -1) {
					q.header.Add(field[1], field[2])
				}
				questions = append(questions, q)
				asked = true
			case strings.HasPrefix(line, "$ curl "):
				return nil, fmt.Errorf("%s: %q cannot be checked: "+
					"write it as $ curl [-i] -H 'NAME: VALUE' http://%s/PATH", page, line, readmeAddress)
			case strings.HasPrefix(line, "$ "):
				asked = false
			case asked:
				questions[len(questions)-1].want += line
			}
		}
	}
	if len(questions) == 0 {
		return nil, fmt.Errorf("%s shows a program without a command $ curl: add one with its answer", page)
	}
	return questions, nil
}

// runQuickstarts builds each quickstart with the modules that users get, and with a
// clone if the README shows how, runs it, and sends it the requests of the README.
func (c *checker) runQuickstarts(ctx context.Context) error {
	readme, err := os.ReadFile(filepath.Join(c.root, "README.md"))
	if err != nil {
		return err
	}
	quickstarts, err := readQuickstarts(c.root, string(readme), c.modules)
	if err != nil {
		return err
	}
	if err := c.runReadme(ctx, released(string(readme)), quickstarts); err != nil {
		return fmt.Errorf("README.md as `release readme` writes it: %w", err)
	}
	if err := c.buildFromClone(ctx, string(readme)); err != nil {
		return err
	}
	if err := c.runDraft(ctx, string(readme)); err != nil {
		return fmt.Errorf("the command draft of README.md: %w", err)
	}
	for i, q := range quickstarts {
		c.progress("%s", q.file)
		dir, err := c.newProject(ctx, fmt.Sprintf("quickstart%d", i))
		if err == nil {
			err = c.get(ctx, dir, q.adapter)
		}
		if err == nil {
			err = c.runQuickstart(ctx, dir, q)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", q.file, err)
		}
		if match := replaceCommand.FindString(string(readme)); match != "" {
			c.progress("%s from a clone", q.file)
			if err := c.runFromClone(ctx, i, match, q); err != nil {
				return fmt.Errorf("%s from a clone: %w", q.file, err)
			}
		}
	}
	return nil
}

// replaceCommand points a go.mod to a clone next to it.
var replaceCommand = regexp.MustCompile(`(?m)^sh \.\./verso/tools/use\.sh$`)

// runFromClone builds a quickstart next to a clone with the name verso.
func (c *checker) runFromClone(ctx context.Context, i int, replace string, q *quickstart) error {
	parent := fmt.Sprintf("clone%d", i)
	dir, err := c.newProject(ctx, filepath.Join(parent, "service"))
	if err != nil {
		return err
	}
	if err := os.Symlink(c.root, filepath.Join(c.dir, "projects", parent, "verso")); err != nil {
		return err
	}
	if _, err := c.command(ctx, dir, "sh", "-ec", replace); err != nil {
		return err
	}
	if err := c.runQuickstart(ctx, dir, q); err != nil {
		return err
	}
	used, err := c.command(ctx, dir, "go", "list", "-m", "-f", "{{.Replace}}", q.adapter.path)
	if err == nil && !strings.HasPrefix(used, "../") {
		return fmt.Errorf("after go mod tidy it uses %s of %s instead of the clone", strings.TrimSpace(used), q.adapter.path)
	}
	return err
}

func (c *checker) runQuickstart(ctx context.Context, dir string, q *quickstart) error {
	address, err := freeAddress()
	if err != nil {
		return err
	}
	_, port, _ := strings.Cut(readmeAddress, ":")
	source := strings.NewReplacer(`"`+readmeAddress+`"`, strconv.Quote(address),
		`":`+port+`"`, strconv.Quote(address)).Replace(q.source)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		return err
	}
	if _, err := c.command(ctx, dir, "go", "mod", "tidy"); err != nil {
		return err
	}
	if _, err := c.command(ctx, dir, "go", "build", "-o", "server.bin", "."); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	server := exec.CommandContext(ctx, filepath.Join(dir, "server.bin"))
	var output strings.Builder
	server.Stdout, server.Stderr = &output, &output
	if err := server.Start(); err != nil {
		return err
	}
	err = ask(ctx, address, q.questions)
	stop()
	_ = server.Wait() // it was killed
	if err != nil {
		return fmt.Errorf("%w\nThe server's output:\n%s", err, lastLines(output.String(), 20))
	}
	return nil
}

// freeAddress returns an unused loopback address. Its port is outside the range that
// the system gives to clients, so that no client can take it.
func freeAddress() (address string, err error) {
	for range 10 {
		var listener net.Listener
		if listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(20000))); err == nil {
			return listener.Addr().String(), listener.Close()
		}
	}
	return "", err
}

// ask returns an error for each question that the server at an address does not answer
// as on its page.
func ask(ctx context.Context, address string, questions []question) (wrong error) {
	for _, q := range questions {
		head, body, err := get(ctx, strings.Replace(q.url, readmeAddress, address, 1), q.header)
		want := q.want
		if q.include {
			var lines string
			lines, want, _ = strings.Cut(q.want, "\n\n")
			for line := range strings.SplitSeq(lines, "\n") { // pages omit fields that every answer has
				if err == nil && !strings.Contains(head, line+"\n") {
					err = fmt.Errorf("GET %s answers\n%s\nwithout what the page shows\n\t%s", q.url, head, line)
				}
			}
		}
		got := strings.TrimSpace(strings.ReplaceAll(body, address, readmeAddress))
		if want = strings.TrimSpace(want); err == nil && got != want {
			err = fmt.Errorf("GET %s answers\n\t%s\ninstead of what the page shows\n\t%s", q.url, got, want)
		}
		wrong = errors.Join(wrong, err)
	}
	return wrong
}

// get returns the status line with the fields, one per line, and the body of a
// response. It waits until a new server accepts connections.
func get(ctx context.Context, url string, header http.Header) (head, body string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", "", err
	}
	r.Header = header
	response, err := http.DefaultClient.Do(r)
	for attempt := 0; errors.Is(err, syscall.ECONNREFUSED) && attempt < 1500; attempt++ {
		time.Sleep(20 * time.Millisecond)
		response, err = http.DefaultClient.Do(r)
	}
	if err != nil {
		return "", "", err
	}
	defer func() { _ = response.Body.Close() }()
	var fields strings.Builder
	_, _ = fmt.Fprintf(&fields, "%s %s\n", response.Proto, response.Status)
	_ = response.Header.Write(&fields) // to memory
	text, err := io.ReadAll(response.Body)
	return strings.ReplaceAll(fields.String(), "\r\n", "\n"), string(text), err
}
