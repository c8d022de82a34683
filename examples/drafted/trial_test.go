package drafted

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// content is what the documents of two versions differ in, besides a member of Admin.
type content struct{ user, paths, schemas string }

// write returns a file whose GET /users returns User, and GET /admins returns Admin.
func (c content) write(t *testing.T, version, admin string) string {
	t.Helper()
	get := func(name string) string {
		return `{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/` + name + `"}}}}}}}`
	}
	path := filepath.Join(t.TempDir(), version+".json")
	require.NoError(t, os.WriteFile(path, []byte(`{"openapi":"3.0.3","info":{"title":"t","version":"`+version+`"},
		"paths":{"/users":`+get("User")+`,"/admins":`+get("Admin")+c.paths+`},
		"components":{"schemas":{"User":{"type":"object","properties":{`+c.user+`}},"Admin":{"type":"object","properties":{`+admin+`}}`+c.schemas+`}}}`), 0o600))
	return path
}

func TestTrial(t *testing.T) { testTrial(t, "build") }

// Vetting needs facts of each dependency, which nothing else of `make test` needs.
func TestTrialLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("VERSO_LONG is not set")
	}
	testTrial(t, "vet")
}

// What is refused is a TODO at its place, and the rest goes on. What is written passes the check of the go command.
func testTrial(t *testing.T, check string) {
	t.Helper()
	const id = `"id":{"type":"string"}`
	const clash = `,"/a/{x}/b":{"get":{"responses":{"204":{"description":""}}}},"/a/c/{y}":{"get":{"responses":{"204":{"description":""}}}}`
	const same = `,"/a/{id}":{"get":{"responses":{"204":{"description":""}}}},"/a/{name}":{"get":{"responses":{"204":{"description":""}}}}`
	linked := func(schema, member string) string {
		return `,"/o":{"get":{"operationId":"o","responses":{"204":{"description":""}}}},"/linked":{"get":{"responses":{"200":{"description":"",
			"content":{"application/json":{"schema":{"$ref":"#/components/schemas/` + schema + `"}}},"links":{"l":{"operationId":"o","parameters":{"p":"$response.body#/` + member + `"}}}}}}}`
	}
	// The same form in three media types, of which the older document has a value more in one.
	coded := func(values string) string {
		media := func(name, values string) string {
			return `"` + name + `":{"schema":{"type":"object","properties":{"code":{"type":"string","enum":[` + values + `]}}}}`
		}
		return `,"/coded":{"get":{"responses":{"200":{"description":"","content":{` + media("application/json", values) + `,` +
			media("application/vnd.t+json", `"A"`) + `,` + media("application/vnd.u+json", `"A"`) + `}}}}}`
	}
	const boss = `,"/above":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Above"}}}}}}}`
	for _, test := range []struct {
		name, router   string
		older, newer   content
		file, want     string
		refused, place string
	}{
		{
			"a route that the router refuses", "http", content{user: id, paths: clash}, content{user: id, paths: clash},
			"routes.go", `// TODO: refused: HandleFunc("GET /a/{x}/b", notImplemented): pattern "GET /a/{x}/b"`, "conflicts with pattern", "GET /a/{x}/b: the route",
		},
		{
			"an edit that New refuses, beside paths that are one route", "chi", content{user: id + `,"boss":{"type":"string"}`, paths: same}, content{user: id + `,"boss":{"$ref":"#/components/schemas/Admin"}`, paths: same},
			"versions.go", `// migrate.Mapped("boss", userBossUp, userBossDown),`, "the member is of a struct that has edits", "User: migrate.Mapped",
		},
		{
			"an edit that most of its documents refuse", "chi", content{user: id + `,"name":{"type":"string"}`, paths: linked("User", "name")}, content{user: id + `,"full_name":{"type":"string"}`, paths: linked("User", "full_name")},
			"versions.go", `// migrate.Renamed("name", "full_name"),`, "in v1 this refers to $response.body of another form", "User: migrate.Renamed",
		},
		{
			"an edit that documents a component, beside one that is refused", "chi",
			content{id + `,"leaf":{"type":"object","properties":{"kind":{"$ref":"#/components/schemas/Kind"}}}`, linked("Guest", "name"), `,"Kind":{"type":"string","enum":["a"]},"Guest":{"type":"object","properties":{"name":{"type":"string"}}}`},
			content{id, linked("Guest", "full_name"), `,"Guest":{"type":"object","properties":{"full_name":{"type":"string"}}}`},
			"versions.go", "\n\t\tmigrate.Documented(\"leaf\", `{\"nullable\":null,\"properties\":{\"kind\":{\"$ref\":\"#/components/schemas/Kind\"}},\"type\":\"object\"}`),\n", "in v1 this refers to $response.body of another form", "Guest: migrate.Renamed",
		},
		{
			"an edit that documents refuse, and one that New takes without it", "chi",
			content{id + `,"name":{"type":"string"}`, linked("User", "name") + boss, `,"Above":{"type":"object","properties":{"boss":{"type":"string"}}}`},
			content{id + `,"full_name":{"type":"string"}`, linked("User", "full_name") + boss, `,"Above":{"type":"object","properties":{"boss":{"$ref":"#/components/schemas/User"}}}`},
			"versions.go", "\n\t\tmigrate.Mapped(\"boss\", aboveBossUp, aboveBossDown),\n", "in v1 this refers to $response.body of another form", "User: migrate.Renamed",
		},
		{
			"an edit with which the document differs more", "chi", content{user: id, paths: coded(`"A","B"`)}, content{user: id, paths: coded(`"A"`)},
			"versions.go", `// migrate.Values("code", nil, migrate.OldValue("B", "A")),`, `with it the document has more differences: v1: GET /coded 200 application/vnd.t+json.code: the value "B" is not published`, "GetCodedResponse: migrate.Values",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := folder(t)
			out, status := draft(t, "-old", test.older.write(t, "v1", `"title":{"type":"string"}`), "-new", test.newer.write(t, "v2", `"full_title":{"type":"string"}`),
				"-router", test.router, "-pkg", "api", "-out", dir)
			require.Zero(t, status, out)
			assert.NotContains(t, out, "Not tried")
			_, refused, _ := strings.Cut(out, "Refused, each a comment with the reason (1):\n")
			assert.True(t, strings.HasPrefix(refused, "  "+test.place), out)
			text, err := os.ReadFile(filepath.Join(dir, test.file))
			require.NoError(t, err)
			assert.Contains(t, string(text), test.want)
			assert.Contains(t, string(text), test.refused)
			versions, err := os.ReadFile(filepath.Join(dir, "versions.go"))
			require.NoError(t, err)
			assert.Contains(t, string(versions), "\n\t\tmigrate.Renamed(\"title\", \"full_title\"),\n", "the rest is not switched off")
			printed, err := exec.CommandContext(t.Context(), "go", check, "./"+dir).CombinedOutput()
			assert.NoError(t, err, "%s", printed)
		})
	}
}

// A history warns of the edits of types that nothing has, such as those of a route that the router refuses.
func TestTrialOfUnused(t *testing.T) {
	paths := func(name string) string {
		return `,"/a/{x}/b":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/` + name + `"}}}}}}},"/a/c/{y}":{"get":{"responses":{"204":{"description":""}}}}`
	}
	version := func(member string) content {
		part := `"Part":{"type":"object","properties":{"` + member + `":{"type":"string"}}}`
		return content{`"part":{"$ref":"#/components/schemas/Part"}`, paths("Alone"), `,"Alone":{"type":"object","properties":{"of_` + member + `":{"type":"string"}}},` + part}
	}
	dir := folder(t)
	out, status := draft(t, "-old", version("name").write(t, "v1", ""), "-new", version("full_name").write(t, "v2", ""), "-router", "http", "-pkg", "api", "-out", dir)
	require.Zero(t, status, out)
	text, err := os.ReadFile(filepath.Join(dir, "versions.go"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "// TODO: refused: no route and no webhook has Alone\n\t// migrate.Renamed(\"of_name\", \"of_full_name\"),\n")
	assert.Contains(t, string(text), "migrate.For[Part](\n\t\t// TODO", "a type of another route")
	assert.NotContains(t, string(text), "migrate.For[Alone]")
}

// The order of the variants of a union means nothing: a removed one comes back as the last one, under its name. Values
// may be beside a form that is null.
func TestTrialOfUnionsLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("VERSO_LONG is not set")
	}
	variant := func(name, member string) string {
		return `,"` + name + `":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","enum":["` + strings.ToLower(name) + `"]},"` + member + `":{"type":"string"}}}`
	}
	parts := func(names ...string) string {
		return `"rides":{"type":"array","items":{"oneOf":[{"$ref":"#/components/schemas/` + strings.Join(names, `"},{"$ref":"#/components/schemas/`) + `"}]}}`
	}
	mood := func(values ...string) string {
		return `,"mood":{"oneOf":[{"type":"null"},{"type":"string","oneOf":[{"const":"` + strings.Join(values, `"},{"const":"`) + `"}]}]}`
	}
	newest := variant("Car", "plate") + variant("Bus", "line")
	older := content{user: parts("Car", "Tram", "Bus") + mood("a"), schemas: newest + variant("Tram", "tram")}
	dir := folder(t)
	out, status := draft(t, "-old", older.write(t, "v1", ""), "-new", content{user: parts("Car", "Bus") + mood("a", "b"), schemas: newest}.write(t, "v2", ""), "-router", "http", "-pkg", "api", "-out", dir)
	require.Zero(t, status, out)
	assert.NotContains(t, out, "Not tried")
	assert.Contains(t, out, ", 0 refused, 0 that no declaration covers.")
	versions, err := os.ReadFile(filepath.Join(dir, "versions.go"))
	require.NoError(t, err)
	assert.Contains(t, string(versions), "\n\t\tmigrate.RemovedVariant(\"tram\"),\n")
	assert.Contains(t, string(versions), `migrate.Variant[Tram]("tram")`)
	assert.Contains(t, string(versions), "\n\t\tmigrate.Values(\"mood\", nil, migrate.NewValue(\"b\", \"a\")),\n")
}

// A form as JSON today, which had more members, loses these and not the whole media type.
func TestTrialKeepsMediaTypesLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("VERSO_LONG is not set")
	}
	of := func(form string) string {
		return `,"/x":{"post":{"operationId":"makeX","requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/X"}},
			"multipart/form-data":{"schema":{"allOf":[` + form + `,{"type":"object","properties":{"file":{"type":"string"}}}]}}}},"responses":{"204":{"description":""}}}}`
	}
	members := func(names ...string) string {
		return `{"type":"object","properties":{"` + strings.Join(names, `":{"type":"string"},"`) + `":{"type":"string"}}}`
	}
	older := content{paths: of(members("a", "b", "c")), schemas: `,"X":` + members("a")}
	newer := content{paths: of(`{"$ref":"#/components/schemas/X"}`), schemas: `,"X":` + members("a", "b", "c")}
	dir := folder(t)
	out, status := draft(t, "-old", older.write(t, "v1", ""), "-new", newer.write(t, "v2", ""), "-router", "http", "-pkg", "api", "-out", dir)
	require.Zero(t, status, out)
	assert.NotContains(t, out, "Not tried")
	assert.Contains(t, out, ", 0 refused, ")
	routes, err := os.ReadFile(filepath.Join(dir, "routes.go"))
	require.NoError(t, err)
	assert.Contains(t, string(routes), "migrate.Form[MakeXParamsForm]()")
}
