package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sizes are sizes of stripped binaries, in bytes.
type sizes struct {
	alone  int64 // of a program that does nothing else
	server int64 // of a program that serves HTTP with the standard library too
}

// readSizes returns the sizes of programs that refer to all the given
// functions of a package.
func readSizes(ctx context.Context, p *project, importPath string, functions []string) (s sizes, err error) {
	if s.alone, err = binarySize(ctx, p, "alone", program(importPath, functions, false)); err != nil {
		return s, err
	}
	s.server, err = binarySize(ctx, p, "server", program(importPath, functions, true))
	return s, err
}

// program returns a program that the linker leaves the given functions of a
// package in, and a server of the standard library.
func program(importPath string, functions []string, serve bool) string {
	var text strings.Builder
	text.WriteString("package main\n\n")
	if serve {
		text.WriteString("import \"net/http\"\n")
	}
	if len(functions) > 0 {
		fmt.Fprintf(&text, "import p %q\n", importPath)
	}
	text.WriteString("\nvar used = []any{\n")
	for _, f := range functions {
		fmt.Fprintf(&text, "\t%s,\n", f)
	}
	text.WriteString("}\n\nfunc main() {\n\tfor _, f := range used {\n\t\tprintln(f)\n\t}\n")
	if serve {
		text.WriteString("\t_ = http.ListenAndServe(\"\", nil)\n")
	}
	text.WriteString("}\n")
	return text.String()
}

// binarySize builds a program in a folder of the project.
func binarySize(ctx context.Context, p *project, name, program string) (int64, error) {
	source := filepath.Join(p.dir, name, "main.go")
	if err := writeFile(source, strings.NewReader(program)); err != nil {
		return 0, err
	}
	binary := filepath.Join(p.user.dir, name+".bin")
	if _, err := p.goCommand(ctx, "build", "-ldflags=-s -w", "-o", binary, "./"+name); err != nil {
		return 0, err
	}
	info, err := os.Stat(binary)
	if err != nil {
		return 0, err
	}
	return info.Size(), os.Remove(binary)
}

// exportedFunctions returns expressions for the exported functions and methods
// of the package in dir, under the name p. Those of generic types are left out,
// since they stand for nothing without type arguments.
func exportedFunctions(dir string) ([]string, error) {
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	var functions []string
	for _, name := range pkg.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || f.Type.TypeParams != nil {
				continue
			}
			if f.Recv == nil {
				functions = append(functions, "p."+f.Name.Name)
			} else if receiver := receiverName(f.Recv.List[0].Type); ast.IsExported(receiver) {
				functions = append(functions, "(*p."+receiver+")."+f.Name.Name)
			}
		}
	}
	slices.Sort(functions)
	return functions, nil
}

// receiverName returns the name of a receiver's type, "" for a generic one.
func receiverName(expression ast.Expr) string {
	if star, ok := expression.(*ast.StarExpr); ok {
		expression = star.X
	}
	if name, ok := expression.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
