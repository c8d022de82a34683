package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// publish writes a module of the repository's HEAD, at a version, into a module
// proxy in the file system (https://go.dev/ref/mod#goproxy-protocol).
func publish(proxy, repo string, m *workspaceModule, version string) error {
	dir := filepath.Join(proxy, filepath.FromSlash(m.path), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	archive, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		return err
	}
	write := func(name, text string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644) }
	return errors.Join(
		// A module without a licence gets the repository's, as with the go command.
		zip.CreateFromVCS(archive, module.Version{Path: m.path, Version: version}, repo, "HEAD", m.folder),
		archive.Close(),
		write("list", version+"\n"),
		write(version+".info", fmt.Sprintf("{%q: %q}", "Version", version)),
		write(version+".mod", string(modfile.Format(m.file.Syntax))),
	)
}
