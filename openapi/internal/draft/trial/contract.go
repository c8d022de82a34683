package trial

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/golang"
)

// A Proposal has the members of migratetest.Proposal.
type Proposal struct {
	Place, Release, Type string
	Edits                []string
}

// Propose runs migratetest.Propose for a file with frozen contracts and the types of a package, in a folder inside
// dir, which it removes. versions begin with the newest.
func Propose(file, dir, ownPath string, types, versions []string) (made []Proposal, err error) {
	var b strings.Builder
	served := slices.Clone(versions)
	slices.Reverse(served)
	fmt.Fprintf(&b, "func main() {\n\tapi := verso.MustNew(verso.Header(\"X-Version\"), verso.Config{AllowedVersions: %s})\n"+
		"\th := verso.Must(migrate.New(api", golang.Strings(served))
	for _, v := range versions {
		fmt.Fprintf(&b, ", migrate.Release(%q)", v)
	}
	b.WriteString("))\n")
	for _, t := range types {
		fmt.Fprintf(&b, "\th.Route(migrate.Returns[own.%s]())\n", t)
	}
	b.WriteString("\tmade, err := migratetest.Propose(h, os.Args[1])\n\tif err == nil {\n\t\terr = json.NewEncoder(os.Stdout)." +
		"Encode(made)\n\t}\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n}\n")
	code := golang.Format("main.go", golang.File("main", "", b.String(), golang.OwnImport(ownPath)))
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	_, err = talked(dir, map[string][]byte{"main.go": code, "document.json": text}, false,
		func(_ io.Writer, out io.Reader) error { return json.NewDecoder(out).Decode(&made) })
	return made, err
}
