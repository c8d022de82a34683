package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// reproduce builds the demo of the commit twice, and fails unless both binaries
// are the same, byte for byte. The first build takes what the machine's caches
// hold; the second one is that of somebody else: in another folder, with a module
// cache and a build cache of its own, so that it compiles everything.
func reproduce(ctx context.Context, out io.Writer, repo *repository) (err error) {
	dir, err := os.MkdirTemp("", "verso-reproducible-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	settings, err := readGoSettings(ctx)
	if err != nil {
		return err
	}
	downloads := "file://" + filepath.ToSlash(filepath.Join(settings.GOMODCACHE, "cache", "download"))
	first, err := newUser(dir, "first", settings.GOPROXY, settings.GONOSUMDB)
	if err != nil {
		return err
	}
	second, err := newUser(dir, "second/elsewhere", downloads+","+settings.GOPROXY, settings.GONOSUMDB)
	if err != nil {
		return err
	}
	first.environment = append(first.environment, "GOMODCACHE="+settings.GOMODCACHE)
	second.environment = append(second.environment, "GOCACHE="+filepath.Join(dir, "build"))

	firstHash, err := buildDemo(ctx, repo, first)
	if err != nil {
		return err
	}
	secondHash, err := buildDemo(ctx, repo, second)
	if err != nil {
		return err
	}
	if firstHash != secondHash {
		return fmt.Errorf("the demo's SHA-256 is %s in one folder and %s in another: something of the machine is in the binary", firstHash, secondHash)
	}
	p := &project{first, first.dir}
	made, err := p.lines(ctx, "env", "GOVERSION", "GOOS", "GOARCH")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s  demo (%s)\n", firstHash, strings.Join(made, " "))
	return err
}

// buildDemo builds the demo of the commit in the user's folder and returns the
// binary's SHA-256.
func buildDemo(ctx context.Context, repo *repository, u *user) (string, error) {
	if err := repo.export(ctx, "HEAD", u.dir); err != nil {
		return "", err
	}
	p := &project{u, filepath.Join(u.dir, "examples")}
	if _, err := p.goCommand(ctx, "build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-o", "demo.bin", "./demo"); err != nil {
		return "", err
	}
	binary, err := os.Open(filepath.Join(p.dir, "demo.bin"))
	if err != nil {
		return "", err
	}
	defer func() { _ = binary.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, binary); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
