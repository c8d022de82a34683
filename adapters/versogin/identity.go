package versogin

import (
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"unsafe"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/core/adapter"
)

// methodOf returns the method of a request as [adapter.Binding.Lookup] wants it. A middleware
// may have set it to OPTIONS, and Gin does not report the method of the matched route, but
// a route for OPTIONS has a handler of its own.
func (r *router) methodOf(c *gin.Context) string {
	method := c.Request.Method
	if method == http.MethodOptions && r.options()[c.FullPath()] != adapter.Identity(c.Handler()) {
		return "-"
	}
	return method
}

// storeOf returns a pointer that is equal only for the same map of what c keeps.
func storeOf(c *gin.Context) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&c.Keys)) }

// engineOf returns the engine of a group, by its unexported field: Gin has no method for it.
func engineOf(group *gin.RouterGroup) uintptr {
	return reflect.ValueOf(group).Elem().FieldByName("engine").Pointer()
}

// hasNoMethod reports whether an engine has a handler for 405, by its unexported field.
func hasNoMethod(engine *gin.Engine) bool {
	return reflect.ValueOf(engine).Elem().FieldByName("noMethod").Len() > 0
}

// chainsOf returns the handlers of the routes of an engine, by method and path, from its
// unexported trees: Gin lists the last handler alone. It returns nil if a later Gin has none.
func chainsOf(engine *gin.Engine) map[string]gin.HandlersChain {
	trees := reflect.ValueOf(engine).Elem().FieldByName("trees")
	if !trees.IsValid() {
		return nil
	}
	chains := make(map[string]gin.HandlersChain)
	var add func(path string, node reflect.Value)
	add = func(path string, node reflect.Value) {
		path += node.FieldByName("path").String()
		handlers, children := node.FieldByName("handlers"), node.FieldByName("children")
		if handlers.Len() > 0 {
			chains[path] = *(*gin.HandlersChain)(handlers.Addr().UnsafePointer())
		}
		for i := range children.Len() {
			add(path, children.Index(i).Elem())
		}
	}
	for i := range trees.Len() {
		add(trees.Index(i).FieldByName("method").String(), trees.Index(i).FieldByName("root").Elem())
	}
	return chains
}

// checkName is what Gin calls a check among the handlers of a route.
var checkName = runtime.FuncForPC(reflect.ValueOf(new(check).serve).Pointer()).Name()

// hasCheck reports whether a handler that Gin has matched is a check, by the name of its
// function: Gin has no other list of them.
func hasCheck(c *gin.Context) bool { return slices.Contains(c.HandlerNames(), checkName) }
