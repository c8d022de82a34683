package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

// services are the least that answers a route with JSON, without Verso and with it.
var services = []struct{ name, framework, adapter, make, route, run string }{
	{"echo", "github.com/labstack/echo/v4", "versoecho", "e := echo.New()",
		`GET("/", func(c echo.Context) error { return c.JSON(200, 1) })`, `e.Start("")`},
	{"gin", "github.com/gin-gonic/gin", "versogin", "e := gin.New()",
		`GET("/", func(c *gin.Context) { c.JSON(200, 1) })`, "e.Run()"},
	{"echo5", "github.com/labstack/echo/v5", "versoecho5", "e := echo.New()",
		`GET("/", func(c *echo.Context) error { return c.JSON(200, 1) })`, `e.Start("")`},
	{"http", "net/http", "versohttp", "e := http.NewServeMux()",
		`HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(1) })`,
		`http.ListenAndServe("", e)`},
	{"fiber", "github.com/gofiber/fiber/v3", "versofiber", "e := fiber.New()",
		`Get("/", func(c fiber.Ctx) error { return c.JSON(1) })`, `e.Listen("")`},
	{"chi", "github.com/go-chi/chi/v5", "versochi", "e := chi.NewRouter()",
		`Get("/", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(1) })`,
		`http.ListenAndServe("", e)`},
}

// sizes builds the services, and returns the sizes of their binaries and how many
// modules are in them.
func sizes() (text string, bounds []*report.Bound) {
	bound := report.AtMost(1, "what Verso adds to the binary, MB")
	t := report.NewTable("a service that is built", "MB: without", "Verso", "difference", "modules: without", "Verso")
	folder, err := os.MkdirTemp("", "verso-bench")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	for _, s := range services {
		imports := fmt.Sprintf("package main\nimport %q\n", s.framework)
		if strings.Contains(s.route, "json.") {
			imports += "import \"encoding/json\"\n"
		}
		if strings.Contains(s.route, "http.") && s.framework != "net/http" {
			imports += "import \"net/http\"\n"
		}
		bare, bareModules := built(folder, imports+"func main() { "+s.make+"; e."+s.route+"; _ = "+s.run+" }")
		imports += fmt.Sprintf("import %q\nimport verso %q\n", "github.com/goverso/verso/adapters/"+s.adapter,
			"github.com/goverso/verso/core")
		bind := fmt.Sprintf("; v := %s.New(e, verso.MustNew(verso.PathParam(\"version\"), verso.Config{})); v.",
			s.adapter)
		with, withModules := built(folder, imports+"func main() { "+s.make+bind+s.route+"; _ = "+s.run+" }")
		t.Add(s.name, fmt.Sprintf("%.2f", bare), fmt.Sprintf("%.2f", with), bound.Judge(with-bare, s.name),
			strconv.Itoa(bareModules), strconv.Itoa(withModules))
	}
	return t.String(), []*report.Bound{bound}
}

// built builds a program, and returns its megabytes and the modules in it.
func built(folder, program string) (mb float64, modules int) {
	file, binary := filepath.Join(folder, "main.go"), filepath.Join(folder, "service")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		panic(err)
	}
	run := func(args ...string) []string {
		command := exec.Command("go", args...)
		command.Stderr = os.Stderr
		out, err := command.Output()
		if err != nil {
			panic(fmt.Sprint(args, ": ", err))
		}
		return strings.Fields(string(out))
	}
	run("build", "-o", binary, file)
	info, err := os.Stat(binary)
	if err != nil {
		panic(err)
	}
	of := run("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", file)
	slices.Sort(of)
	return float64(info.Size()) / 1e6, len(slices.Compact(of))
}
