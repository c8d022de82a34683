package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// source is a file of the code under test.
type source struct {
	root, name string // the name is relative to the root
	text       []byte
	pkg        string
}

// filesOf returns the Go files that the targets name, without tests.
func filesOf(root string, targets []string) ([]*source, error) {
	var files []*source
	for _, target := range targets {
		names := []string{filepath.Join(root, target)}
		if !strings.HasSuffix(target, ".go") {
			names, _ = filepath.Glob(filepath.Join(root, target, "*.go"))
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("%s has no Go files", target)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			relative, err := filepath.Rel(root, name)
			if err != nil {
				return nil, err
			}
			files = append(files, &source{root: root, name: relative, text: text})
		}
	}
	return files, nil
}

// mutant is a source with one change.
type mutant struct {
	*source
	start, end  int // what is changed, in bytes
	replacement string
	body        body // that it stands in; the zero body for none
}

// body is where the body of a function stands, its braces included.
type body struct {
	start, end int
	hasResults bool
}

// verdict is what became of a mutant.
type verdict int

const (
	killed   verdict = iota // a test failed
	survived                // all tests passed
	invalid                 // it does not compile
)

// changed returns the changed file.
func (m *mutant) changed() []byte {
	return slices.Concat(m.text[:m.start], []byte(m.replacement), m.text[m.end:])
}

// String returns the place of the change and the changed line, or lines, with
// what was there and what takes its place in braces.
func (m mutant) String() string {
	text := m.text
	line := 1 + bytes.Count(text[:m.start], []byte("\n"))
	from := 1 + bytes.LastIndexByte(text[:m.start], '\n')
	to := len(text)
	if length := bytes.IndexByte(text[m.end:], '\n'); length >= 0 {
		to = m.end + length
	}
	changed := fmt.Sprintf("%s«%s → %s»%s", text[from:m.start], text[m.start:m.end], m.replacement, text[m.end:to])
	return fmt.Sprintf("%s:%d: %s", m.name, line, strings.Join(strings.Fields(changed), " "))
}

// operators are what takes the place of an operator.
var operators = map[token.Token][]string{
	token.EQL: {"!="}, token.NEQ: {"=="},
	token.LSS: {"<=", ">="}, token.GEQ: {">", "<"},
	token.GTR: {">=", "<="}, token.LEQ: {"<", ">"},
	token.LAND: {"||"}, token.LOR: {"&&"},
	token.ADD: {"-"}, token.SUB: {"+"}, token.MUL: {"/"}, token.QUO: {"*"}, token.REM: {"*"},
	token.AND: {"|"}, token.OR: {"&"}, token.SHL: {">>"}, token.SHR: {"<<"},
	token.INC: {"--"}, token.DEC: {"++"},
	token.ADD_ASSIGN: {"-="}, token.SUB_ASSIGN: {"+="}, token.MUL_ASSIGN: {"/="}, token.QUO_ASSIGN: {"*="}, token.OR_ASSIGN: {"&="},
}

// mutantsOf returns the mutants of a file: changed operators, constants and
// conditions, and removed statements.
func mutantsOf(file *source) ([]mutant, error) {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file.name, file.text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	file.pkg = tree.Name.Name
	var all []mutant
	var current body
	offset := func(pos token.Pos) int { return files.Position(pos).Offset }
	replace := func(from, to token.Pos, replacement string) {
		m := mutant{file, offset(from), offset(to), replacement, current}
		if m.start < current.start { // in the signature
			m.body = body{}
		}
		all = append(all, m)
	}
	operator := func(at token.Pos, op token.Token) {
		for _, other := range operators[op] {
			replace(at, at+token.Pos(len(op.String())), other)
		}
	}
	condition := func(cond ast.Expr) {
		text := string(file.text[offset(cond.Pos()):offset(cond.End())])
		replace(cond.Pos(), cond.End(), "("+text+") && false")
		replace(cond.Pos(), cond.End(), "("+text+") || true")
	}
	tags := make(map[*ast.BasicLit]bool)
	inspect := func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			tags[n.Tag] = true
		case *ast.BasicLit:
			if !tags[n] {
				for _, other := range otherLiterals(n) {
					replace(n.Pos(), n.End(), other)
				}
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				replace(n.Pos(), n.End(), "false")
			case "false":
				replace(n.Pos(), n.End(), "true")
			}
		case *ast.BinaryExpr:
			operator(n.OpPos, n.Op)
		case *ast.UnaryExpr:
			switch n.Op {
			case token.NOT:
				replace(n.OpPos, n.OpPos+1, "")
			case token.SUB:
				replace(n.OpPos, n.OpPos+1, "+")
			}
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
			replace(n.Pos(), n.End(), "")
		case *ast.AssignStmt:
			operator(n.TokPos, n.Tok)
			if n.Tok != token.DEFINE {
				replace(n.Pos(), n.End(), "")
			}
		case *ast.ExprStmt, *ast.DeferStmt, *ast.BranchStmt:
			replace(n.Pos(), n.End(), "")
		case *ast.ReturnStmt:
			if len(n.Results) == 0 {
				replace(n.Pos(), n.End(), "")
			}
		case *ast.IfStmt:
			condition(n.Cond)
		case *ast.CaseClause:
			replace(n.Pos(), n.End(), "")
		}
		return true
	}
	for _, decl := range tree.Decls {
		current = body{}
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
			current = body{offset(f.Body.Lbrace), offset(f.Body.Rbrace), f.Type.Results != nil}
		}
		ast.Inspect(decl, inspect)
	}
	return all, nil
}

// otherLiterals returns what takes the place of a constant.
func otherLiterals(literal *ast.BasicLit) []string {
	switch literal.Kind {
	case token.INT:
		return []string{"(" + literal.Value + " + 1)", "(" + literal.Value + " - 1)"}
	case token.CHAR:
		return []string{"(" + literal.Value + " + 1)", "(" + literal.Value + " - 1)"}
	case token.STRING:
		if text, err := strconv.Unquote(literal.Value); err == nil && text == "" {
			return []string{`"mutant"`}
		}
		return []string{`""`}
	}
	return nil
}
