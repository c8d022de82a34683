package overhttp

import (
	"net/http"
	"reflect"
	"unsafe"
)

// Identity identifies a handler, for [adapter.Listed] and to find out whether two routes share one: two values are equal
// only for the same handler. A struct that Go cannot compare is another one each time it becomes an [http.Handler].
func Identity(handler http.Handler) any {
	if reflect.ValueOf(handler).Comparable() {
		return handler
	}
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&handler))[1]
}
