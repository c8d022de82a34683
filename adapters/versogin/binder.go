package versogin

import (
	"reflect"
	"sync"

	"github.com/gin-gonic/gin/binding"
)

// splits reports whether Gin reads collection_format, as it does from v1.11.
var splits = sync.OnceValue(func() bool {
	var read struct {
		List []string `form:"list" collection_format:"csv"`
	}
	err := binding.MapFormWithTag(&read, map[string][]string{"list": {"a,b"}}, "form")
	return err == nil && len(read.List) == 2
})

// separator returns what separates the values of a list in one parameter.
func separator(field reflect.StructField) string {
	if !splits() {
		return ""
	}
	return map[string]string{"csv": ",", "ssv": " ", "tsv": "\t", "pipes": "|"}[field.Tag.Get("collection_format")]
}
