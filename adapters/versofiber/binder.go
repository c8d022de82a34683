package versofiber

import (
	"reflect"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/binder"
	"github.com/valyala/fasthttp"

	verso "github.com/goverso/verso/core"
)

// binderOf returns how Fiber's binder reads parameters.
func binderOf(app *fiber.App) verso.Binder {
	b := verso.Binder{Name: boundName, Last: true, Nested: true, IgnoresCase: folds()}
	if app.Config().EnableSplittingOnParsers {
		b.Separator = func(field reflect.StructField) string {
			typ := field.Type
			for typ.Kind() == reflect.Pointer {
				typ = typ.Elem()
			}
			if typ.Kind() == reflect.Slice {
				return ","
			}
			return ""
		}
	}
	return b
}

// folds reports whether Fiber compares names as strings.EqualFold does, ſ with s, and not the
// letters of ASCII alone: so does the schema that Fiber 3.0.0 requires.
var folds = sync.OnceValue(func() bool {
	var request fasthttp.Request
	request.URI().SetQueryString("%C5%BF=1")
	var read struct {
		S string `query:"s"`
	}
	err := new(binder.QueryBinding).Bind(&request, &read)
	return err == nil && read.S == "1"
})

// boundName returns what Fiber's binder compares of a name: in lower case, without brackets, tags
// for tags[], and a.b for a[b]. It refuses brackets without a partner.
func boundName(name string) string {
	name = lower(name)
	if strings.IndexByte(name, '[') < 0 {
		return name
	}
	read, open := make([]byte, 0, len(name)), 0
	for i := range len(name) {
		switch {
		case name[i] == ']':
			if open--; open < 0 {
				return name
			}
		case name[i] != '[':
			read = append(read, name[i])
		default:
			if open++; i+1 < len(name) && name[i+1] != ']' {
				read = append(read, '.')
			}
		}
	}
	if open > 0 {
		return name
	}
	return string(read)
}

// lower returns a name with the letters of ASCII in lower case, as Fiber compares it.
func lower(name string) string {
	folded := []byte(name)
	for i, c := range folded {
		if 'A' <= c && c <= 'Z' {
			folded[i] = c + 'a' - 'A'
		}
	}
	return string(folded)
}
