package versofiber

import (
	"slices"

	"github.com/valyala/fasthttp"

	verso "github.com/goverso/verso/core"
)

// write writes a field of the decision into a response.
func write(header *fasthttp.ResponseHeader, field verso.Field, mode verso.Mode) {
	found := header.PeekAll(field.Name)
	if len(found) == 0 && len(field.Lines) == 1 { // the usual case
		header.Set(field.Name, field.Lines[0])
		return
	}
	if slices.EqualFunc(found, field.Lines, func(a []byte, b string) bool { return string(a) == b }) {
		return
	}
	var lines []string
	for _, line := range found {
		lines = append(lines, string(line))
	}
	joined := mode.Join(lines, field.Lines)
	switch {
	case len(lines) <= 1 && len(joined) == 1:
		header.Set(field.Name, joined[0])
		return
	case len(joined) < len(lines) || !slices.Equal(joined[:len(lines)], lines):
		header.Del(field.Name) // mixes the order of other fields
		lines = nil
	}
	for _, line := range joined[len(lines):] {
		header.Add(field.Name, line)
	}
}

// restore writes a field again that was lost when the handler answered: by a reset of
// the response, as fasthttp does it for status 304, or by the response of a proxy.
func restore(header *fasthttp.ResponseHeader, field verso.Field, mode verso.Mode) {
	if mode != verso.JoinField {
		mode = verso.KeepField // what the handler has set replaces it
	}
	write(header, field, mode)
}
