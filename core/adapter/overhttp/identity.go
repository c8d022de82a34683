package overhttp

import (
	"net/http"
	"reflect"

	"github.com/goverso/verso/core/adapter"
)

// Identity identifies a handler, for [adapter.Listed] and to find out whether two routes share one: two values are equal
// only for the same handler. Of a type that Go cannot compare, all are equal: they may be the same.
func Identity(handler http.Handler) any {
	if f, ok := handler.(http.HandlerFunc); ok {
		return adapter.Identity(f)
	}
	if !reflect.ValueOf(handler).Comparable() {
		return reflect.TypeOf(handler)
	}
	return handler
}
