// Command release checks and prepares releases of the modules of go.work. They all
// have the same version: the one at which their go.mod files require each other.
// RELEASING.md says when to run each command.
//
//	release check        publish HEAD to a module proxy in a temporary folder, and use it as users do
//	release published    use the published modules in the same way
//	release set v0.1.1   make the go.mod files of the work tree require each other at a version
//	release readme       write README.md as it is from the first release on
//	release tags [-push] print the tags of the version, in the order in which to push them; push them
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	top, err := exec.CommandContext(ctx, "git", "rev-parse", "--show-toplevel").Output()
	if err == nil {
		err = run(ctx, os.Stdout, strings.TrimSpace(string(top)), os.Args[1:])
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, repo string, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "check":
		return check(ctx, out, repo, false)
	case len(args) == 1 && args[0] == "published":
		return check(ctx, out, repo, true)
	case len(args) == 1 && args[0] == "tags":
		_, err := printTags(out, repo)
		return err
	case len(args) == 2 && args[0] == "tags" && args[1] == "-push":
		return push(ctx, out, repo)
	case len(args) == 1 && args[0] == "readme":
		return writeReadme(repo)
	case len(args) == 2 && args[0] == "set":
		return setVersion(out, repo, args[1])
	}
	return errors.New("usage: release check | published | set VERSION | readme | tags [-push]")
}
