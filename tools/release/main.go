// Command release checks and prepares releases of the modules of go.work, which
// all have one version. RELEASING.md tells when to run what.
//
//	release check         publish the commit at hand to a file-system module proxy and use it as users do
//	release set v0.1.1    let the go.mod files of the work tree require each other at a version
//	release tags          print the tags of the next version, in the order in which to push them
//	release api           print what the commit changes in each module's exported API since its last tag
//	release suite         write how many cases each adapter passes into docs/adapters.md
//	release dependencies  write what each module brings to its users into docs/dependencies.md
//	release reproducible  build the demo twice, in different folders, and compare the binaries
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, args []string) error {
	if len(args) == 0 {
		return errors.New("say what to do: check, set, tags, api, suite, dependencies or reproducible")
	}
	verb, args := args[0], args[1:]
	flags := flag.NewFlagSet("release "+verb, flag.ContinueOnError)
	var version string
	setVersion := func() {
		flags.StringVar(&version, "version", "", "the `version` to release (default: v0.1.0, or the patch after the last tag)")
	}
	switch verb {
	case "check":
		var options checkOptions
		setVersion()
		flags.BoolVar(&options.strict, "strict", false, "fail unless the go.mod files require the version already")
		flags.BoolVar(&options.worktree, "worktree", false, "read the work tree instead of the commit")
		flags.BoolVar(&options.published, "published", false, "use the modules that are published instead of those of the commit")
		flags.BoolVar(&options.keep, "keep", false, "keep the temporary folder")
		if err := parse(flags, args, 0); err != nil {
			return err
		}
		if options.published && version == "" {
			return errors.New("say with -version which published version to check")
		}
		return withRepository(ctx, version, func(repo *repository, version string) error {
			options.version = version
			return check(ctx, out, repo, options)
		})
	case "set":
		if err := parse(flags, args, 1); err != nil {
			return err
		}
		return withRepository(ctx, flags.Arg(0), func(repo *repository, version string) error {
			return setRequirements(out, repo.dir, version)
		})
	case "tags":
		setVersion()
		if err := parse(flags, args, 0); err != nil {
			return err
		}
		return withRepository(ctx, version, func(repo *repository, version string) error {
			modules, err := readWorkspace(repo.dir)
			for _, m := range modules {
				_, printErr := fmt.Fprintln(out, m.tag(version))
				err = errors.Join(err, printErr)
			}
			return err
		})
	case "api":
		apidiff := flags.String("apidiff", "", "the apidiff `program`; required")
		if err := parse(flags, args, 0); err != nil {
			return err
		}
		if *apidiff == "" {
			return errors.New("give the program apidiff with -apidiff: make api-check builds and gives it")
		}
		return withRepository(ctx, "", func(repo *repository, _ string) error {
			return compareAPIs(ctx, out, repo, *apidiff)
		})
	case "suite":
		stale := flags.Bool("check", false, "change nothing, and fail when the table is stale")
		if err := parse(flags, args, 0); err != nil {
			return err
		}
		return withRepository(ctx, "", func(repo *repository, _ string) error {
			return updateSuiteTable(ctx, repo.dir, *stale)
		})
	case "dependencies":
		stale := flags.Bool("check", false, "change nothing, and fail when the page is stale")
		if err := parse(flags, args, 0); err != nil {
			return err
		}
		return withRepository(ctx, "", func(repo *repository, version string) error {
			return updateDependencies(ctx, repo, version, *stale)
		})
	case "reproducible":
		if err := parse(flags, args, 0); err != nil {
			return err
		}
		return withRepository(ctx, "", func(repo *repository, _ string) error {
			return reproduce(ctx, out, repo)
		})
	default:
		return fmt.Errorf("unknown verb %q: say check, set, tags, api, suite, dependencies or reproducible", verb)
	}
}

// parse reads the flags and want further arguments.
func parse(flags *flag.FlagSet, args []string, want int) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != want {
		return fmt.Errorf("%s takes %d arguments beside flags, not %q", flags.Name(), want, flags.Args())
	}
	return nil
}

// withRepository calls do with the repository around the current folder and
// the version to release: the given one, or the next one if it is "".
func withRepository(ctx context.Context, version string, do func(*repository, string) error) error {
	repo, err := openRepository(ctx)
	if err != nil {
		return err
	}
	tags, err := repo.tags(ctx)
	if err != nil {
		return err
	}
	if version == "" {
		version = nextVersion(tags)
	}
	if err := checkVersion(version); err != nil {
		return err
	}
	return do(repo, version)
}
