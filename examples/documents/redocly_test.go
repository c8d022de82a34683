package documents_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/bookings/api"
	"github.com/goverso/verso/examples/bookings/ginapi"
	"github.com/goverso/verso/examples/rewrite/shop"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/openapi"
)

// TestRedoclyLong lints the documents of all versions with Redocly CLI, which npx downloads. It
// finds no rule broken that the given document keeps.
func TestRedoclyLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("downloads a linter: set VERSO_LONG=1")
	}
	requireNPM(t)
	dir, given := t.TempDir(), map[string]string{} // by file
	write := func(name string, document *openapi3.T) string {
		raw, err := json.Marshal(document)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), raw, 0o600))
		return name
	}
	add := func(name string, document *openapi3.T, service *verso.Explanation) {
		input := write(name+".json", document)
		for _, version := range service.Versions {
			made, err := openapi.ForVersion(document, service, version)
			require.NoError(t, err)
			given[write(name+"-"+version+".json", made)] = input
		}
	}
	for _, s := range append(subjects, charges) {
		document, _, service := s.open(t)
		add(strings.TrimSuffix(s.file, ".yaml"), document, service)
	}
	files := published(t)
	for _, s := range realSubjects {
		document, _, service := s.read(t, files)
		add(strings.TrimSuffix(filepath.Base(s.file), ".json")+"-published", document, service)
	}
	_, v, _ := shop.New()
	document, err := openapi3.NewLoader().LoadFromFile("../rewrite/shop/openapi.yaml")
	require.NoError(t, err)
	add("shop", document, v.Explain())
	service, err := api.New(api.Config{Log: slog.New(slog.DiscardHandler), Clock: func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }, Origin: "http://example.com"})
	require.NoError(t, err)
	_, explanation := ginapi.New(service)
	document, err = openapi3.NewLoader().LoadFromFile("../bookings/api/openapi.json")
	require.NoError(t, err)
	add("bookings", document, explanation)

	for _, format := range []string{"3.0.3", "3.1.0"} {
		add("webhooks-"+format, hookDocument(t, format), hookService(verso.RouteInfo{Method: "GET", Pattern: "/x", Path: "/x", Rewriter: hookHistory().Route(migrate.Returns[Tagged]())}))
	}

	broken := lint(t, dir)
	for file, input := range given {
		for rule, example := range broken[file] {
			assert.Contains(t, broken[input], rule, "%s: %s", file, example)
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "wrong.json"), []byte(`{"openapi": "3.0.3", "info": {}, "paths": {}}`), 0o600))
	assert.NotEmpty(t, lint(t, dir)["wrong.json"], "the linter finds what is wrong")
}

// lint returns a message for each rule with the severity of an error that a file of a folder
// breaks.
func lint(t *testing.T, dir string) map[string]map[string]string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "npx", "--yes", "@redocly/cli@1.34.5", "lint", "--format=json", "--max-problems=100000", "*.json")
	command.Dir, command.Env = dir, npmEnv()
	out, err := command.Output() // fails where there are errors
	broken, results := map[string]map[string]string{}, json.NewDecoder(bytes.NewReader(out))
	require.True(t, results.More(), "%v", err)
	for results.More() { // one for each file
		var found struct {
			Totals   *struct{ Errors int } `json:"totals"`
			Problems []struct {
				Rule     string `json:"ruleId"`
				Severity string `json:"severity"`
				Message  string `json:"message"`
				Location []struct {
					Source  struct{ Ref string } `json:"source"`
					Pointer string               `json:"pointer"`
				} `json:"location"`
			} `json:"problems"`
		}
		require.NoError(t, results.Decode(&found))
		require.NotNil(t, found.Totals)
		for _, p := range found.Problems {
			if p.Severity != "error" || len(p.Location) == 0 {
				continue
			}
			file := filepath.Base(p.Location[0].Source.Ref)
			if broken[file] == nil {
				broken[file] = map[string]string{}
			}
			broken[file][p.Rule] = p.Message + " at " + p.Location[0].Pointer
		}
	}
	return broken
}

// requireNPM skips a test where npm is not installed, unless CI requires it.
func requireNPM(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("npx"); err != nil {
		require.NotContains(t, os.Getenv("VERSO_REQUIRED"), "npm", err)
		t.Skip("npm is not installed")
	}
}

// npmEnv is an environment in which npm works without a home.
func npmEnv() []string {
	return append(os.Environ(), "npm_config_cache="+filepath.Join(os.TempDir(), "verso-npm"))
}
