// Command threats keeps the threat model of SECURITY.md: each row names tests,
// and each test must fail when the protection that it shows is taken out.
//
//	threats          takes out one protection after the other and runs its test
//	threats -write   writes the table into SECURITY.md
//	threats -check   fails when the table in SECURITY.md is another one
//
// The work tree is not touched: the go command reads the changed file from a
// temporary folder (go help build, -overlay).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "threats:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, args []string) error {
	flags := flag.NewFlagSet("threats", flag.ContinueOnError)
	root := flags.String("root", "../..", "the `folder` of the repository")
	write := flags.Bool("write", false, "write the table into SECURITY.md")
	check := flags.Bool("check", false, "check the table in SECURITY.md")
	if err := flags.Parse(args); err != nil {
		return err
	}
	folder, err := filepath.Abs(*root)
	if err != nil {
		return err
	}
	if *write || *check {
		return updatePage(folder, threats, *check)
	}
	return tryAll(ctx, out, folder, threats)
}
