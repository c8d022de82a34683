package rewrite_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// careless are edits of package shop that somebody makes without thinking of older versions:
// pairs of a text and another one in its place.
var careless = []struct {
	name  string
	pairs []string
}{
	{"rename tag, no change", []string{
		"`json:\"street\"`",
		"`json:\"street_name\"`",
	}},
	{"field removed, no change", []string{
		"\tZip    string `json:\"zip,omitempty\"`\n",
		``,
		`&Address{"S", "C", "1"}`,
		`&Address{"S", "C"}`,
	}},
	{"field added, nothing declared", []string{
		"\tNext string `json:\"next,omitempty\"`\n",
		"\tNext string `json:\"next,omitempty\"`\n\tTotal int `json:\"total\"`\n",
		`[]Order{sample()}, "n"}`,
		`[]Order{sample()}, "n", 1}`,
	}},
	{"secret added to Customer", []string{
		"\tCreated time.Time      `json:\"created\"`\n",
		"\tCreated time.Time      `json:\"created\"`\n\tPlan string `json:\"plan\"`\n",
	}},
	{"type int64->string", []string{
		"\tID      int64          `json:\"id\"`",
		"\tID      string          `json:\"id\"`",
		`Customer{ID: 1,`,
		`Customer{ID: "1",`,
	}},
	{"old Renamed deleted", []string{
		"\t\t\tmigrate.Changed(\"mail is email.\", migrate.For[Customer](migrate.Renamed(\"mail\", \"email\"))),\n",
		``,
	}},
	{"enum old value edited", []string{
		`"on": "active"`,
		`"enabled": "active"`,
	}},
	{"NewValue fallback edited", []string{
		`migrate.NewValue("pending", "off")`,
		`migrate.NewValue("pending", "on")`,
	}},
	{"joinName logic: Last, First", []string{
		`return strings.TrimSpace(f + " " + l), nil`,
		`return l + ", " + f, nil`,
	}},
	{"cents->text loses cents", []string{
		`fmt.Sprintf("%d.%02d", c/100, c%100)`,
		`fmt.Sprint(c/100)`,
	}},
	{"Added default EUR->USD", []string{
		`migrate.Added("currency", "EUR")`,
		`migrate.Added("currency", "USD")`,
	}},
	{"Removed const \"\"->nil", []string{
		`migrate.Removed("fax", "")`,
		`migrate.Removed("fax", nil)`,
	}},
	{"Removed const \"\"->\"n/a\"", []string{
		`migrate.Removed("fax", "")`,
		`migrate.Removed("fax", "n/a")`,
	}},
	{"Returns dropped from GET one", []string{
		`with(migrate.Returns[Order]()).HandleFunc("GET /orders/{id}"`,
		`with().HandleFunc("GET /orders/{id}"`,
	}},
	{"Rewrite dropped from GET one", []string{
		`with(migrate.Returns[Order]()).HandleFunc("GET /orders/{id}"`,
		`v.HandleFunc("GET /orders/{id}"`,
	}},
	{"Accepts dropped from POST", []string{
		`with(migrate.Accepts[Order](), migrate.Returns[Order](), created`,
		`with(migrate.Returns[Order](), created`,
	}},
	{"wrong type: Returns[Customer] on order", []string{
		`with(migrate.Returns[Order]()).HandleFunc("GET /orders/{id}"`,
		`with(migrate.Returns[Customer]()).HandleFunc("GET /orders/{id}"`,
	}},
	{"handler writes a page on Returns[Order]", []string{
		"reply(w, 200, sample())\n\t})\n\twith(migrate.Returns[Page",
		"reply(w, 200, Page[Order]{Data: []Order{sample()}})\n\t})\n\twith(migrate.Returns[Page",
	}},
	{"handler writes another struct", []string{
		"reply(w, 200, sample())\n\t})\n\twith(migrate.Returns[Page",
		"reply(w, 200, map[string]any{\"order\": sample()})\n\t})\n\twith(migrate.Returns[Page",
	}},
	{"omitempty added", []string{
		"\tEmail   string         `json:\"email\"`",
		"\tEmail   string         `json:\"email,omitempty\"`",
	}},
	{"edit put into wrong release", []string{
		"\t\t\tmigrate.Changed(\"mail is email.\", migrate.For[Customer](migrate.Renamed(\"mail\", \"email\"))),\n",
		``,
		"\t\tmigrate.Release(\"v3\",\n",
		"\t\tmigrate.Release(\"v3\",\n\t\t\tmigrate.Changed(\"mail is email.\", migrate.For[Customer](migrate.Renamed(\"mail\", \"email\"))),\n",
	}},
	{"old error member renamed", []string{
		"\tError string `json:\"error\"`",
		"\tError string `json:\"message\"`",
	}},
	{"enum of newest extended in the handler (no NewValue)", []string{
		`Status: "pending"`,
		`Status: "archived"`,
	}},
	{"named type with MarshalJSON", []string{
		"\tCurrency string          `json:\"currency\"`",
		"\tCurrency Cur          `json:\"currency\"`",
		`func sample() Order {`,
		"type Cur string\n\nfunc (c Cur) MarshalJSON() ([]byte, error) { return []byte(`\"x\"`), nil }\n\nfunc sample() Order {",
	}},
	{"Status removed", []string{
		`, created.Status(200, 201)`,
		``,
	}},
	{"string -> *string", []string{
		"\tEmail   string         `json:\"email\"`",
		"\tEmail   *string         `json:\"email\"`",
		`Email: "a@b"`,
		`Email: new(string)`,
		`Email: r.FormValue("email")`,
		`Email: nil`,
	}},
	{"map[string]any value type", []string{
		"\tMeta    map[string]any `json:\"meta,omitempty\"`",
		"\tMeta    map[string]string `json:\"meta,omitempty\"`",
		`map[string]any{"mail": "keep"}`,
		`map[string]string{"mail": "keep"}`,
	}},
	{"int->float quantity", []string{
		"\tQuantity int    `json:\"quantity\"`",
		"\tQuantity float64    `json:\"quantity\"`",
	}},
	{"typo in edit name", []string{
		`migrate.Renamed("qty", "quantity")`,
		`migrate.Renamed("qty", "quantities")`,
	}},
	{"v2 removed whole from api", []string{
		`"v1", "v2", "v3", "v4"`,
		`"v1", "v3", "v4"`,
	}},
	{"new release v5 w/o file update", []string{
		`"v1", "v2", "v3", "v4"`,
		`"v1", "v2", "v3", "v4", "v5"`,
		`		migrate.Release("v4",`,
		"\t\tmigrate.Release(\"v5\", migrate.Changed(\"x\", migrate.For[Line](migrate.Renamed(\"sku\",\"item\")))),\n\t\tmigrate.Release(\"v4\",",
		"`json:\"sku\"`",
		"`json:\"item\"`",
	}},
	{"route removed", []string{
		`GET /stream`,
		`GET /streams`,
	}},
}

// TestCarelessEditsLong makes each edit, and runs the tests of the shop: at least one fails.
func TestCarelessEditsLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("set VERSO_LONG=1: it compiles the shop 32 times")
	}
	file, err := filepath.Abs("shop/shop.go")
	require.NoError(t, err)
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, edit := range careless {
		t.Run(edit.name, func(t *testing.T) {
			text := string(source)
			for i := 0; i < len(edit.pairs); i += 2 {
				require.Contains(t, text, edit.pairs[i])
				text = strings.Replace(text, edit.pairs[i], edit.pairs[i+1], 1)
			}
			dir := t.TempDir()
			edited, overlay := filepath.Join(dir, "shop.go"), filepath.Join(dir, "overlay.json")
			require.NoError(t, os.WriteFile(edited, []byte(text), 0o600))
			replace, err := json.Marshal(map[string]map[string]string{"Replace": {file: edited}})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(overlay, replace, 0o600))
			out, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-overlay", overlay, "./shop").CombinedOutput()
			require.Error(t, err, "the tests are green")
			assert.NotContains(t, string(out), "build failed")
			for _, finder := range []string{"--- FAIL: TestContracts", "--- FAIL: TestService", "panic: migrate: "} {
				if strings.Contains(string(out), finder) {
					t.Log("found by " + strings.TrimPrefix(finder, "--- FAIL: "))
				}
			}
		})
	}
}
