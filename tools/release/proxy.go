package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// publish writes the modules at a version into a file-system module proxy
// (https://go.dev/ref/mod#goproxy-protocol). A module without a licence gets the
// one of the repository at root, as the go command does.
func publish(proxy, root string, modules []*workspaceModule, version string, committed time.Time) error {
	for _, m := range modules {
		licence := filepath.Join(m.dir, "LICENSE")
		if _, err := os.Stat(licence); errors.Is(err, os.ErrNotExist) {
			if err := copyFile(licence, filepath.Join(root, "LICENSE")); err != nil {
				return fmt.Errorf("%s would be published without a licence: %w", m.path, err)
			}
		}
		if err := publishModule(proxy, m, version, committed); err != nil {
			return fmt.Errorf("%s cannot be published: %w", m.path, err)
		}
	}
	return nil
}

func publishModule(proxy string, m *workspaceModule, version string, committed time.Time) error {
	escaped, err := module.EscapePath(m.path)
	if err != nil {
		return err
	}
	dir := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	escapedVersion, err := module.EscapeVersion(version)
	if err != nil {
		return err
	}
	file := func(extension string) string { return filepath.Join(dir, escapedVersion+extension) }
	if err := copyFile(file(".mod"), filepath.Join(m.dir, "go.mod")); err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, committed})
	if err != nil {
		return err
	}
	if err := os.WriteFile(file(".info"), info, 0o644); err != nil {
		return err
	}
	archive, err := os.Create(file(".zip"))
	if err != nil {
		return err
	}
	err = zip.CreateFromDir(archive, module.Version{Path: m.path, Version: version}, m.dir)
	if err := errors.Join(err, archive.Close()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "list"), []byte(version+"\n"), 0o644)
}
