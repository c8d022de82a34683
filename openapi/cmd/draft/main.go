// Command draft reads the published documents of an API, and drafts what package migrate needs to serve
// the older versions: the Go types of the newest document, the history, and the routes.
//
//	go get -tool github.com/goverso/verso/openapi/cmd/draft
//	go tool draft -old v1.json -new v2.json -from v1 -to v2 -out internal/api
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/compare"
	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/golang"
	"github.com/goverso/verso/openapi/internal/draft/own"
	"github.com/goverso/verso/openapi/internal/draft/trial"
	"github.com/goverso/verso/openapi/internal/draft/write"
)

func main() {
	debug.SetGCPercent(400) // a draft is soon done, and most of what it reads stays
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// texts is a flag that may be repeated.
type texts []string

func (t *texts) String() string     { return strings.Join(*t, " ") }
func (t *texts) Set(v string) error { *t = append(*t, v); return nil }

// command is a call of the command.
type command struct {
	old, from           texts
	newest, to          string
	folder, packageName string
	routerName, types   string
	contract            string
	router              *golang.Router
	untried             bool
	out, complaint      io.Writer
}

// run returns the exit status: 0, also with questions, 1 for input that cannot be read, and 2 for a
// usage error.
func run(args []string, out, complaint io.Writer) int {
	c := &command{out: out, complaint: complaint}
	flags := flag.NewFlagSet("draft", flag.ContinueOnError)
	flags.SetOutput(complaint)
	flags.Var(&c.old, "old", "published `document` of an older version; repeat it for several, the newest of them "+
		"first")
	flags.Var(&c.from, "from", "name of the older `version`, for each -old (default: as in its paths, or info.version)")
	flags.StringVar(&c.newest, "new", "", "published `document` of the newest version")
	flags.StringVar(&c.to, "to", "", "name of the newest `version` (default: as in its paths, or info.version)")
	flags.StringVar(&c.folder, "out", ".", "`folder` of the package, in the module of the service")
	flags.StringVar(&c.packageName, "pkg", "", "`name` of the package (default: the name of the folder)")
	flags.StringVar(&c.contract, "contract", "", "`file` of migratetest.Frozen, in place of documents: with -types")
	flags.StringVar(&c.types, "types", "", "`folder` with the Go types that the service has: the history alone is "+
		"written there, without -out and -pkg")
	flags.StringVar(&c.routerName, "router", "", "`framework` of the routes: gin, echo, echo5, chi, http or fiber "+
		"(default: as in go.mod, or http)")
	flags.BoolVar(&c.untried, "untried", false, "do not try what is written: it may not compile")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		return c.usage("no arguments are expected, and %q is one", flags.Arg(0))
	case c.contract != "" && (c.types == "" || c.untried || isSet(flags, "old", "new", "from")):
		return c.usage("-contract takes -types and -to alone: without documents, the trial reads it")
	case c.contract != "":
	case len(c.old) == 0 || c.newest == "":
		return c.usage("-old and -new are required. Without an older document, start from migratetest.Frozen " +
			"of today's types, and give -contract once they have changed")
	case len(c.from) > 0 && len(c.from) != len(c.old):
		return c.usage("give -from for each -old, or no -from")
	case c.types != "" && isSet(flags, "out", "pkg"):
		return c.usage("-types is the folder and the package of the history: leave -out and -pkg out")
	case c.routerName != "" && golang.RouterNamed(c.routerName) == nil:
		return c.usage("-router %s is not gin, echo, echo5, chi, http or fiber", c.routerName)
	}
	if c.types != "" {
		c.folder = c.types
	}
	c.router = golang.RouterNamed(c.routerName)
	if err := c.draft(); err != nil {
		_, _ = fmt.Fprintln(complaint, "draft:", err)
		return 1
	}
	return 0
}

// isSet reports whether any of the flags is given.
func isSet(flags *flag.FlagSet, names ...string) (set bool) {
	flags.Visit(func(f *flag.Flag) { set = set || slices.Contains(names, f.Name) })
	return set
}

func (c *command) usage(format string, args ...any) int {
	_, _ = fmt.Fprintf(c.complaint, "draft: "+format+"\n", args...)
	return 2
}

// read returns the documents, the newest first. It reads them for each try, since Compare changes them.
func (c *command) read() ([]compare.Source, error) {
	var sources []compare.Source
	var errs []error
	for i, path := range append([]string{c.newest}, c.old...) {
		d, err := document.Load(path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		version, _ := d.VersionSegment()
		if version == "" {
			version = fmt.Sprint(document.Obj(d.Root["info"])["version"])
		}
		if i == 0 && c.to != "" {
			version = c.to
		} else if i > 0 && len(c.from) > 0 {
			version = c.from[i-1]
		}
		for _, other := range sources {
			if other.Version == version {
				errs = append(errs, fmt.Errorf("two documents are of version %q: name them with -from and -to",
					version))
			}
		}
		sources = append(sources, compare.Source{Version: version, Document: d})
	}
	return sources, errors.Join(errs...)
}

// ofUnion finds a union that New refuses.
var ofUnion = regexp.MustCompile(`OneOf\[(?:\w+\.)?(\w+)\]`)

// draft drafts until New takes the unions: those that it refuses are raw JSON then.
func (c *command) draft() error {
	var sources []compare.Source
	var err error
	if c.contract == "" {
		if sources, err = c.read(); err != nil {
			return err
		}
	}
	if c.packageName == "" {
		c.packageName = packageOf(c.folder)
	}
	options := compare.Options{Raw: map[string]bool{}}
	if c.types != "" {
		if options.Own, err = own.Read(c.folder, write.Mark); err != nil {
			return err
		}
		c.packageName = options.Own.Name
		if options.Own.Path, err = importPath(c.folder); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		return err
	}
	if c.router == nil {
		if c.router, err = routerOf(c.folder); err != nil {
			return err
		}
	}
	for {
		var copies []compare.Source
		var malformed []string
		for _, s := range sources {
			copies = append(copies, compare.Source{Version: s.Version, Document: s.Clone()})
			malformed = append(malformed, s.Notes...)
		}
		var d *compare.Draft
		if c.contract == "" {
			d = compare.Compare(copies, options)
		} else if d, err = ofContract(c.contract, c.to, c.folder, options.Own); err != nil {
			return err
		}
		reason, untidy := "-untried", false
		if !c.untried {
			reason, untidy, err = c.try(d, options, sources)
			if errors.Is(err, errAgain) {
				continue
			} else if err != nil {
				return err
			}
		}
		report, err := write.Write(d, write.Options{Folder: c.folder, Package: c.packageName, Router: c.router,
			Untried: reason, Untidy: untidy, Own: options.Own, Published: c.published(sources)})
		if err != nil {
			return err
		}
		report.Malformed = malformed
		return report.Print(c.out)
	}
}

// published returns the files of the older versions.
func (c *command) published(sources []compare.Source) map[string]string {
	files := map[string]string{}
	for i, path := range c.old {
		files[sources[i+1].Version] = path
	}
	return files
}

var errAgain = errors.New("draft again, with less unions")

// try returns why the draft was not tried, or "". untidy means that the module lacks requirements of the draft.
func (c *command) try(d *compare.Draft, options compare.Options, sources []compare.Source) (reason string, untidy bool,
	err error) {
	path, published := "", map[string]*document.Document{}
	for _, s := range sources {
		published[s.Version] = s.Document
	}
	if options.Own != nil {
		path = options.Own.Path
	}
	untidy, err = trial.Run(d, published, c.router, c.folder, path, isTerminal(c.complaint))
	var refused *trial.RefusedError
	if !errors.As(err, &refused) {
		return "", untidy, err
	}
	again := false
	for _, m := range ofUnion.FindAllStringSubmatch(refused.Output, -1) {
		again = again || !options.Raw[m[1]]
		options.Raw[m[1]] = true
	}
	if again {
		return "", untidy, errAgain
	}
	return refused.Output, untidy, nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// packageOf returns the name of the package in a folder.
func packageOf(folder string) string {
	if whole, err := filepath.Abs(folder); err == nil {
		folder = whole
	}
	name := notName.ReplaceAllString(strings.ToLower(filepath.Base(folder)), "")
	if name == "" || name[0] < 'a' {
		return "api"
	}
	return name
}
