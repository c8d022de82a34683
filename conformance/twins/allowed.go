package twins

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func (f *Framework) allowed(p *Program, r Request, bare, own Outcome, kind string) string {
	for _, a := range f.Allowed {
		if a.Matches(p, r, bare, own, kind) {
			return a.Name
		}
	}
	return ""
}

// VaryBehindTimeout is allowed where the check may be in front of a timeout with compression inside.
var VaryBehindTimeout = Allowance{Name: "Vary behind a timeout",
	Page:  "../../docs/operating.md#the-order-of-middleware",
	Quote: "A timeout that copies headers, between two middlewares that set `Vary` | Names in `Vary` are lost",
	Matches: func(p *Program, _ Request, _, own Outcome, kind string) bool {
		hasTimeout := strings.Contains(p.text(true), "timeout")
		return hasTimeout && kind == OtherField+"Vary" && own.Header.Get("Vary") == "Accept-Encoding"
	}}

// AllowOfVersion is allowed in programs whose NotFound is Verso's, where not all routes are in the version.
var AllowOfVersion = Allowance{Name: "Allow of the version",
	Page: "../../docs/problems.md#not-in-version", Quote: "`Allow` lists the methods in this version.",
	Matches: func(p *Program, r Request, bare, own Outcome, kind string) bool {
		hasMore := slices.ContainsFunc(strings.Split(methodsOf(own), ","), func(method string) bool {
			return method != "" && !slices.Contains(strings.Split(methodsOf(bare), ","), method)
		})
		isFewer := kind == OtherField+"Allow" && !hasMore && (p.isInSome() || !isServed(r.Version))
		isPage := strings.HasPrefix(bare.Body, "H")
		return p.Has("v.NotFound") && isFewer && bare.IsUnmatched() && own.IsUnmatched() && !isPage
	}}

// isInSome reports whether a version lacks a route of the program.
func (p *Program) isInSome() (is bool) {
	all(p.Body, nil, func(s *Statement, _ []*Statement) { is = is || s.Only != "" })
	return is
}

func (f *Framework) refusal(text string) string {
	for _, r := range f.Refused {
		if strings.Contains(text, r.Text) {
			return r.Text
		}
	}
	return ""
}

// isRefused reports whether a mistake is refused, perhaps for another reason of its place.
func (f *Framework) isRefused(s *Statement, text string) bool {
	return strings.Contains(text, s.Opt) || f.refusal(text) != "" || strings.Contains(text, perRouteTwice)
}

// checkPages fails where a page does not have a quote.
func (f *Framework) checkPages(t *testing.T) {
	t.Helper()
	for _, a := range f.Allowed {
		if err := quoted(a.Page, a.Quote); err != nil {
			t.Errorf("allowance %s: %v", a.Name, err)
		}
	}
	for _, r := range f.Refused {
		if err := quoted(r.Page, r.Quote); err != nil {
			t.Errorf("refusal %q: %v", r.Text, err)
		}
	}
}

func quoted(page, quote string) error {
	file, anchor, _ := strings.Cut(page, "#")
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var text string
	if strings.HasSuffix(file, ".go") {
		text, err = commentOf(file, content, anchor)
	} else {
		text = sectionOf(string(content), anchor)
	}
	switch {
	case err != nil:
		return err
	case quote == "" || !strings.Contains(flat(text), flat(quote)):
		return fmt.Errorf("%s does not have the sentence %q", page, quote)
	}
	return nil
}

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// commentOf returns the comment of a declaration.
func commentOf(file string, content []byte, name string) (string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, content, parser.ParseComments)
	if err != nil {
		return "", err
	}
	for _, decl := range parsed.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if name == receiverOf(decl)+decl.Name.Name {
				return decl.Doc.Text(), nil
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok && spec.Name.Name == name {
					return decl.Doc.Text(), nil
				}
			}
		}
	}
	return "", fmt.Errorf("%s does not declare %s", file, name)
}

func receiverOf(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return ""
	}
	of := decl.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}

var heading = regexp.MustCompile(`(?m)^#+ (.*)$`)

// sectionOf returns what is below a heading, all for "".
func sectionOf(text, anchor string) string {
	places := heading.FindAllStringSubmatchIndex(text, -1)
	for i, at := range places {
		if anchorOf(text[at[2]:at[3]]) == anchor {
			if i+1 < len(places) {
				return text[at[1]:places[i+1][0]]
			}
			return text[at[1]:]
		}
	}
	if anchor == "" {
		return text
	}
	return ""
}

var notInAnchors = regexp.MustCompile("[^a-z0-9 -]")

func anchorOf(heading string) string {
	return strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}
