package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/golang"
)

// moduleOf returns the go.mod of the module that a folder is in, or "".
func moduleOf(folder string) (string, error) {
	c := exec.Command("go", "env", "GOMOD")
	c.Dir = folder
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	file := strings.TrimSpace(string(out))
	if filepath.Base(file) != "go.mod" { // without a module it is the null device
		return "", nil
	}
	return file, nil
}

// importPath returns the path of the package in a folder, or "" if no module is around it: nothing is tried there.
func importPath(folder string) (string, error) {
	file, err := moduleOf(folder)
	if err != nil || file == "" {
		return "", err
	}
	c := exec.Command("go", "list", "-e", "-f", "{{.ImportPath}}", ".")
	c.Dir = folder
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("go list in %s: %w", folder, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// routerOf returns the router that the module of a folder requires, or net/http.
func routerOf(folder string) (*golang.Router, error) {
	file, err := moduleOf(folder)
	if err != nil || file == "" {
		return golang.RouterNamed("http"), err
	}
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod edit -json %s: %w", file, err)
	}
	var module struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &module); err != nil {
		return nil, err
	}
	var names []string
	for _, required := range module.Require {
		for _, r := range golang.Routers {
			if required.Path == r.Framework && !required.Indirect {
				names = append(names, r.Name)
			}
		}
	}
	switch len(names) {
	case 0:
		return golang.RouterNamed("http"), nil
	case 1:
		return golang.RouterNamed(names[0]), nil
	}
	return nil, fmt.Errorf("%s has several frameworks: choose one with -router: %s", file, strings.Join(names, ", "))
}
