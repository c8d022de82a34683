package versoecho

import (
	"reflect"
	"unsafe"

	"github.com/labstack/echo/v4"
)

// identityOf returns the address of a pattern's text, which is equal for one string only.
func identityOf(pattern string) *byte { return unsafe.StringData(pattern) }

// fieldOf returns an unexported field of a group: Echo has no method for it.
func fieldOf(group *echo.Group, name string) reflect.Value {
	return reflect.ValueOf(group).Elem().FieldByName(name)
}
