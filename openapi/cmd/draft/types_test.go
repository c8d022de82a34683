package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// service writes the Go code of a service, and returns its folder.
func service(t *testing.T, code string) string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "service.go"), []byte("package service\n\n"+code), 0o600))
	return folder
}

// typed drafts the history of types in a folder, without a trial, and returns the report and the files.
func typed(t *testing.T, older, newest, folder string) (report, versions, mapping string) {
	t.Helper()
	var out bytes.Buffer
	require.Zero(t, run([]string{"-untried", "-old", older, "-new", newest, "-from", "v1", "-to", "v2", "-types", folder}, &out, &out), out.String())
	code, err := os.ReadFile(filepath.Join(folder, "versions.go"))
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(folder, "draft-types.json"))
	require.NoError(t, err)
	return out.String(), string(code), string(text)
}

// A schema is the type that its route declares, the type of its name, or the type with most of its members.
func TestTypesAreMatched(t *testing.T) {
	older := file(t, "1", `{"type":"object","properties":{"id":{"type":"string"},"label":{"type":"string"}}}`)
	newest := file(t, "2", `{"type":"object","properties":{"id":{"type":"string"},"label_text":{"type":"string"}}}`)
	const xs = "type A struct {\n\tID string `json:\"id\"`\n\tLabel string `json:\"label_text\"`\n}\n\ntype B A\n\n"
	for _, test := range []struct{ name, code, want string }{
		{"by members", xs, "migrate.For[A]("},
		{"by the operation", xs + "type ShowXResponse struct {\n\tLabel string `json:\"label_text\"`\n}\n", "migrate.For[ShowXResponse]("},
		{"by the route", xs + "type C struct {\n\tLabel string `json:\"label_text\"`\n}\n\nfunc routes() { v.Rewrite(h.Route(migrate.Returns[C]())).GET(\"/x\", show) }\n", "migrate.For[C]("},
		{"by the pattern", xs + "type C struct {\n\tLabel string `json:\"label_text\"`\n}\n\nfunc routes() { v.Rewrite(h.Route(migrate.Returns[[]C]())).HandleFunc(\"GET /x\", show) }\n", "migrate.For[C]("},
		{"with what it embeds", "type base struct {\n\tHidden int\n}\n\ntype Base struct {\n\tID string `json:\"id\"`\n}\n\ntype A struct {\n\tBase\n\tbase\n\tLabel string `json:\"label_text\"`\n\tMore *int `json:\"-\"`\n}\n", "migrate.For[A]("},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, versions, _ := typed(t, older, newest, service(t, test.code))
			assert.Contains(t, versions, test.want)
			assert.Contains(t, versions, `migrate.Renamed("label", "label_text")`)
		})
	}
}

// What is not clear is a question, and the mapping file answers it in the next run.
func TestMappingFile(t *testing.T) {
	older := file(t, "1", `{"type":"object","properties":{"id":{"type":"string"},"label":{"type":"string"}}}`)
	newest := file(t, "2", `{"type":"object","properties":{"id":{"type":"string"},"label_text":{"type":"string"}}}`)
	const one = " struct {\n\tID string `json:\"id\"`\n\tLabel string `json:\"label_text\"`\n}\n\n"
	folder := service(t, "type A"+one+"type B"+one)
	report, versions, mapping := typed(t, older, newest, folder)
	assert.Contains(t, report, "GET /x response: showX response: which Go type is it? it may be A or B")
	assert.Contains(t, versions, "// TODO: GET /x response: showX response: which Go type is it?")
	assert.NotContains(t, versions, "migrate.For")
	assert.Contains(t, mapping, `"showX response": ""`)

	path := filepath.Join(folder, "draft-types.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"showX response": "B", "Pet": "-"}`), 0o600))
	report, versions, mapping = typed(t, older, newest, folder)
	assert.Contains(t, versions, "migrate.For[B](")
	assert.NotContains(t, report, "which Go type is it?")
	assert.Contains(t, mapping, `"Pet": "-"`)

	mine := versions + "\n// Mine.\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "versions.go"), []byte(mine), 0o600))
	report, now, _ := typed(t, older, newest, folder)
	assert.Equal(t, mine, now, "what a person changed stays")
	assert.Contains(t, report, "so the draft is beside it as NAME.new (1)")
}

// A member that holds another older schema has a type of its own, with At; a member that the type lacks is
// skipped.
func TestTypesAtPlaces(t *testing.T) {
	older := file(t, "1", `{"type":"object","properties":{"pet":{"$ref":"#/components/schemas/PetV1"},"note":{"type":"string"},"count":{"type":"integer"}}}`)
	newest := file(t, "2", `{"type":"object","properties":{"pet":{"$ref":"#/components/schemas/Pet"},"note":{"type":"integer"},"count":{"type":"integer"}}}`)
	report, versions, _ := typed(t, older, newest, service(t, "type Dog struct {\n\tID string `json:\"id\"`\n\tName string `json:\"name,omitempty\"`\n}\n\ntype Show struct {\n\tPet *Dog `json:\"pet,omitempty\"`\n\tCount int `json:\"count\"`\n}\n"))
	assert.Contains(t, versions, "type DogOfPetV1 Dog\n")
	assert.Contains(t, versions, `migrate.At[Show, DogOfPetV1]("pet")`)
	assert.Contains(t, versions, "migrate.For[DogOfPetV1](")
	assert.Contains(t, report, `Show has no member "note"`)
	assert.NotContains(t, versions, `Mapped("note"`)
}

func TestTypesExitStatus(t *testing.T) {
	good, newer := file(t, "1", `{}`), file(t, "2", `{}`)
	mapped := service(t, "type A struct{}\n")
	require.NoError(t, os.WriteFile(filepath.Join(mapped, "draft-types.json"), []byte(`{"Pet": "Lost"}`), 0o600))
	for _, test := range []struct {
		name, want string
		args       []string
		status     int
	}{
		{"with -out", "leave -out and -pkg out", []string{"-types", mapped, "-out", "."}, 2},
		{"an unknown router", "-router flask is not gin", []string{"-router", "flask"}, 2},
		{"a contract with documents", "-contract takes -types and -to alone", []string{"-types", mapped, "-contract", "c.json"}, 2},
		{"no Go", "has no Go package", []string{"-types", t.TempDir()}, 1},
		{"not Go", "expected", []string{"-types", service(t, "type {")}, 1},
		{"a lost type", "Pet is Lost, and the package has no such exported struct", []string{"-types", mapped}, 1},
		{"History", "declares History", []string{"-types", service(t, "func History() {}\n")}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			assert.Equal(t, test.status, run(append([]string{"-old", good, "-new", newer, "-untried"}, test.args...), &out, &out), out.String())
			assert.Contains(t, out.String(), test.want)
		})
	}
}

func TestContractExitStatus(t *testing.T) {
	types := service(t, "type A struct{}\n")
	for _, test := range []struct {
		name, want string
		args       []string
		status     int
	}{
		{"no types", "-contract takes -types", nil, 2},
		{"no file", "no such file", []string{"-types", types}, 1},
		{"not JSON", "unexpected end of JSON input", []string{"-types", types, "-contract", text(t, "{")}, 1},
		{"no versions", "has no versions", []string{"-types", types, "-contract", text(t, `{"routes": {}}`)}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			assert.Equal(t, test.status, run(append([]string{"-contract", "missing.json"}, test.args...), &out, &out), out.String())
			assert.Contains(t, out.String(), test.want)
		})
	}
}

// Versions of a contract are ordered by their numbers, and the newest may be new.
func TestVersionsOfContract(t *testing.T) {
	versions, objects, err := contractOf(text(t, `{"v9": {"B": {}}, "v10": {"A": {}, "B": {}}, "edits": {}}`), "v11")
	require.NoError(t, err)
	assert.Equal(t, []string{"v11", "v10", "v9"}, versions)
	assert.Equal(t, []string{"A", "B"}, objects)
}
