package versogin

import (
	"reflect"

	"github.com/gin-gonic/gin"
)

// isReset reports whether c has another store than before: [gin.Engine.HandleContext] gives it one.
func isReset(c *gin.Context, store any) bool {
	return reflect.ValueOf(c.Keys).Pointer() != reflect.ValueOf(store).Pointer()
}

// engineOf returns the engine of a group, by its unexported field: Gin has no method for it.
// It is 0 if a Gin has no such field.
func engineOf(group any) uintptr {
	if engine := reflect.ValueOf(group).Elem().FieldByName("engine"); engine.Kind() == reflect.Pointer {
		return engine.Pointer()
	}
	return 0
}

// codesOf returns what identifies the code of the handlers in a field of an engine, for 404 or 405. ok is
// false if a Gin has no such field.
func codesOf(engine any, field string) (codes []uintptr, ok bool) {
	handlers := reflect.ValueOf(engine).Elem().FieldByName(field)
	if handlers.Kind() != reflect.Slice {
		return nil, false
	}
	for i := range handlers.Len() {
		codes = append(codes, handlers.Index(i).Pointer())
	}
	return codes, true
}

// chainsOf returns the handlers of the routes of an engine, by method and path, from its
// unexported trees: Gin lists the last handler alone. It returns nil if a Gin keeps them in
// another way.
func chainsOf(engine any) (chains map[string]gin.HandlersChain) {
	defer func() {
		if recover() != nil { // of reflect, or of field
			chains = nil
		}
	}()
	chains = make(map[string]gin.HandlersChain)
	var add func(path string, node reflect.Value)
	add = func(path string, node reflect.Value) {
		path += field(node, "path", reflect.TypeFor[string]()).String()
		if chain := field(node, "handlers", reflect.TypeFor[gin.HandlersChain]()); chain.Len() > 0 {
			chains[path] = *(*gin.HandlersChain)(chain.Addr().UnsafePointer())
		}
		children := node.FieldByName("children")
		for i := range children.Len() {
			add(path, children.Index(i).Elem())
		}
	}
	trees := reflect.ValueOf(engine).Elem().FieldByName("trees")
	for i := range trees.Len() {
		tree := trees.Index(i)
		add(field(tree, "method", reflect.TypeFor[string]()).String(), tree.FieldByName("root").Elem())
	}
	return chains
}

// field returns a field of a struct. It panics unless it has the type.
func field(of reflect.Value, name string, want reflect.Type) reflect.Value {
	found := of.FieldByName(name)
	if found.Type() != want {
		panic(name)
	}
	return found
}
