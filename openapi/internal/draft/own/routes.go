package own

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	methods    = []string{"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"}
	parameters = regexp.MustCompile(`\{[^/]*\}|:[^/]+`)
)

// bodiesOf notes the bodies of the routes that a file declares, such as
// v.Rewrite(h.Route(migrate.Returns[User]())).GET("/users/:id", show): "GET /users/{} response" to the declared type.
func bodiesOf(file *ast.File, bodies map[string]string) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		route := routeOf(f.Sel.Name, call.Args)
		if route == "" {
			return true
		}
		ast.Inspect(f.X, func(n ast.Node) bool {
			declared, ok := n.(*ast.IndexExpr)
			if !ok {
				return true
			}
			if of, ok := declared.X.(*ast.SelectorExpr); ok {
				switch of.Sel.Name {
				case "Accepts":
					bodies[route+" request"] = elementOf(declared.Index)
				case "Returns":
					bodies[route+" response"] = elementOf(declared.Index)
				}
			}
			return true
		})
		return true
	})
}

// elementOf returns the type of the elements of a list, or a type.
func elementOf(e ast.Expr) string { return strings.TrimPrefix(text(e), "[]") }

// routeOf returns "GET /users/{}" of a call that registers a route, or "".
func routeOf(name string, arguments []ast.Expr) string {
	var texts []string
	for _, a := range arguments {
		if l, ok := a.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil {
				texts = append(texts, s)
			}
		}
	}
	if len(texts) == 0 {
		return ""
	}
	method, path := strings.ToUpper(name), texts[0]
	switch {
	case slices.Contains(methods, method):
	case len(texts) > 1:
		method, path = texts[0], texts[1]
	default:
		method, path, _ = strings.Cut(texts[0], " ")
	}
	if !slices.Contains(methods, method) || path == "" {
		return ""
	}
	return Place(method, path)
}

// Place is a route without the names of its parameters.
func Place(method, path string) string { return method + " " + parameters.ReplaceAllString(path, "{}") }

// text is a type as Go writes it.
func text(e ast.Expr) string {
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), e); err != nil {
		return err.Error()
	}
	return b.String()
}
