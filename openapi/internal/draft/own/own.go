// Package own reads the Go types that a service has, and finds which schema each of them is.
package own

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

// MappingFile has the Go type of each schema: a person completes it, and it is read again.
const MappingFile = "draft-types.json"

// A Package has the structs of a folder.
type Package struct {
	Name, Path string   // Path is the import path, as the caller sets it
	Declared   []string // the names in it
	Questions  []string
	structs    map[string]*gotype.Type
	bodies     map[string]string // of routes: see bodiesOf
	mapping    map[string]string
	taken      map[string]string // a type to its schema
}

// Read reads the Go files of a folder, without tests and without those that begin with drafted.
func Read(folder, drafted string) (*Package, error) {
	p := &Package{structs: map[string]*gotype.Type{}, bodies: map[string]string{}, mapping: map[string]string{},
		taken: map[string]string{}}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	specs := map[string]*ast.StructType{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(path, "_test.go") || bytes.HasPrefix(text, []byte(drafted)) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.Name = file.Name.Name
		p.declare(file)
		bodiesOf(file, p.bodies)
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.TypeParams == nil && spec.Name.IsExported() {
				if s, ok := spec.Type.(*ast.StructType); ok {
					specs[spec.Name.Name] = s
				}
			}
			_, isFunc := n.(*ast.FuncDecl)
			return !isFunc
		})
	}
	switch p.Name {
	case "":
		return nil, fmt.Errorf("%s has no Go package", folder)
	case "main":
		return nil, fmt.Errorf("%s is package main, which the trial cannot import: move its types into a package", folder)
	}
	if slices.Contains(p.Declared, "History") {
		return nil, fmt.Errorf("%s declares History, which the draft would too: rename it", folder)
	}
	for name := range specs {
		t := &gotype.Type{Name: name, Given: true}
		fields(t, specs[name], specs, map[string]bool{name: true})
		p.structs[name] = t
	}
	text, err := os.ReadFile(filepath.Join(folder, MappingFile))
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &p.mapping)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(folder, MappingFile), err)
	}
	for schema, name := range p.mapping {
		if name != "" && name != "-" && p.structs[name] == nil {
			return nil, fmt.Errorf("%s: %s is %s, and the package has no such exported struct",
				filepath.Join(folder, MappingFile), schema, name)
		}
	}
	return p, nil
}

// declare notes the names that a file declares.
func (p *Package) declare(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				p.Declared = append(p.Declared, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					p.Declared = append(p.Declared, s.Name.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						p.Declared = append(p.Declared, name.Name)
					}
				}
			}
		}
	}
}

// fields adds the members of a struct, and of those that it embeds.
func fields(t *gotype.Type, of *ast.StructType, all map[string]*ast.StructType, seen map[string]bool) {
	for _, f := range of.Fields.List {
		tag := reflect.StructTag("")
		if f.Tag != nil {
			if text, err := strconv.Unquote(f.Tag.Value); err == nil {
				tag = reflect.StructTag(text)
			}
		}
		member, options, _ := strings.Cut(tag.Get("json"), ",")
		typ, pointer := f.Type, false
		if star, ok := typ.(*ast.StarExpr); ok {
			typ, pointer = star.X, true
		}
		if name, ok := typ.(*ast.Ident); ok && len(f.Names) == 0 && member == "" && all[name.Name] != nil {
			if !seen[name.Name] {
				seen[name.Name] = true
				fields(t, all[name.Name], all, seen)
			}
			continue
		}
		if options != "" {
			options = "," + options
		}
		for _, name := range f.Names {
			m := member
			if m == "" {
				m = name.Name
			}
			if name.IsExported() && (m != "-" || options != "") {
				t.Fields = append(t.Fields, gotype.Field{Name: name.Name, Type: text(typ), Pointer: pointer, Key: "json",
					Member: m, Options: options})
			}
		}
	}
}

// Names returns the exported structs.
func (p *Package) Names() []string { return slices.Sorted(maps.Keys(p.structs)) }

// Match returns the struct of a schema, or nil: that in the mapping file, declared by a route
// at the place, with its name, or with most of its members. place is where the schema is, such as
// "GET /users/{id} response", and hint the name of a type for it. What is not clear is a question.
func (p *Package) Match(schema, place, hint string, members []string) *gotype.Type {
	if name, ok := p.mapping[schema]; ok && name != "" {
		return p.structs[name] // nil for "-"
	}
	chosen, candidates := p.bodies[place], []string(nil)
	if p.structs[chosen] == nil {
		chosen = p.named(hint, members)
	}
	if chosen == "" {
		if candidates = p.alike(members); len(candidates) == 1 {
			chosen = candidates[0]
		}
	}
	p.mapping[schema] = chosen
	if chosen == "" {
		what := "no type has most of its members"
		if len(candidates) > 1 {
			what = "it may be " + strings.Join(candidates, " or ")
		}
		question := fmt.Sprintf("%s: which Go type is it? %s: write its name into %s, or \"-\" if no type is, and draft again",
			schema, what, MappingFile)
		if place != schema {
			question = place + ": " + question
		}
		if !slices.Contains(p.Questions, question) {
			p.Questions = append(p.Questions, question)
		}
		return nil
	}
	p.taken[chosen] = schema
	for _, f := range p.structs[chosen].Fields { // its schemas have the types of the members
		elem := gotype.Element(f.Type)
		if p.structs[elem] != nil {
			p.bodies[chosen+" "+f.Member] = elem
		}
	}
	return p.structs[chosen]
}

// named returns the struct with a name, if a third of the members are in it.
func (p *Package) named(hint string, members []string) string {
	for _, name := range p.Names() {
		if gotype.Norm(name) == gotype.Norm(hint) && 3*p.common(name, members) >= len(members) {
			return name
		}
	}
	return ""
}

// common counts the members that a struct has.
func (p *Package) common(name string, members []string) (n int) {
	for _, m := range members {
		if p.structs[name].Field(m) != nil {
			n++
		}
	}
	return n
}

// alike returns the structs with most of the members, and few more. Several are equally near. One common member
// is not enough.
func (p *Package) alike(members []string) (best []string) {
	most := 0.0
	for _, name := range p.Names() {
		n := p.common(name, members)
		share := float64(n) / float64(max(len(members), len(p.structs[name].Fields)))
		switch {
		case n < 2 || share < 0.6 || share < most || p.taken[name] != "":
		case share > most:
			most, best = share, []string{name}
		default:
			best = append(best, name)
		}
	}
	return best
}

// Mapping returns the mapping file: what a person wrote, and what was found. It is nil if there is nothing.
func (p *Package) Mapping() ([]byte, error) {
	if len(p.mapping) == 0 {
		return nil, nil
	}
	text, err := json.MarshalIndent(p.mapping, "", "\t")
	return append(text, '\n'), err
}
