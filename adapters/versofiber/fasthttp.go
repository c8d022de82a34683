package versofiber

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/utils/v2"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// facts presents requests of Fiber to Verso. The texts are fasthttp's own memory,
// which is used again for the next request.
type facts struct{}

func setRequest(r *source.Request, c fiber.Ctx, at *route.Route) { r.Set(facts{}, c.Method(), c, at) }

// ctxOf returns the context of a request. It is usually Fiber's own, which is faster
// to find than any other.
func ctxOf(request any) fiber.Ctx {
	if c, ok := request.(*fiber.DefaultCtx); ok {
		return c
	}
	return request.(fiber.Ctx)
}

func (facts) Secure(c any) bool             { return ctxOf(c).RequestCtx().IsTLS() } // c.Scheme trusts proxies
func (facts) Context(c any) context.Context { return ctxOf(c).Context() }

// Host returns the Host header, or the host of a target that is a whole URL, which
// replaces it (RFC 9112, section 3.2.2). Fiber's own Host looks at X-Forwarded-Host.
func (facts) Host(c any) string {
	ctx := ctxOf(c).RequestCtx()
	if countLines(&ctx.Request.Header, fiber.HeaderHost) > 1 {
		ctx.SetUserValue(manyHosts{}, true)
	}
	if target := ctx.Request.Header.RequestURI(); len(target) > 0 && target[0] != '/' {
		return utils.UnsafeString(ctx.URI().Host())
	}
	return utils.UnsafeString(ctx.Request.Header.Host())
}

func (facts) RawQuery(c any) string {
	return utils.UnsafeString(ctxOf(c).RequestCtx().URI().QueryString())
}

func (facts) EscapedPath(c any) string {
	return utils.UnsafeString(ctxOf(c).RequestCtx().URI().PathOriginal())
}

// manyHosts marks a request that was asked for its host and has more than one Host
// line, which is malformed (RFC 9112, section 3.2): fasthttp takes the last one.
type manyHosts struct{}

// Header returns a header field. fasthttp puts the trailers of a chunked body behind
// its lines, where they do not belong (RFC 9110, section 6.5.1).
func (facts) Header(c any, name string) (value string, ok bool) {
	header, lines := &ctxOf(c).Request().Header, linesOf(ctxOf(c), name)
	if len(lines) > 0 && mayHaveTrailers(header) {
		lines = lines[:min(len(lines), countLines(header, name))]
	}
	if len(lines) == 1 {
		return utils.UnsafeString(lines[0]), true
	}
	separator := ", "
	if name == "Cookie" { // not a list (RFC 9113, section 8.2.3)
		separator = "; "
	}
	return string(bytes.Join(lines, []byte(separator))), len(lines) > 0
}

// linesOf returns the lines of a field of a request.
func linesOf(c fiber.Ctx, name string) (lines [][]byte) {
	if !c.App().Server().DisableHeaderNamesNormalizing {
		return c.Request().Header.PeekAll(name)
	}
	for sent, line := range c.Request().Header.All() { // names are as sent, in any case
		if strings.EqualFold(utils.UnsafeString(sent), name) {
			lines = append(lines, line)
		}
	}
	return lines
}

// mayHaveTrailers reports whether a request was sent with a chunked body. fasthttp
// may have set another length since it has read one.
func mayHaveTrailers(header *fasthttp.RequestHeader) bool {
	const noBody = -2 // fasthttp's value
	return header.ContentLength() != noBody && countLines(header, fiber.HeaderTransferEncoding) > 0
}

// countLines counts the lines of a field in a header as it was sent.
func countLines(header *fasthttp.RequestHeader, name string) (count int) {
	sent := header.RawHeaders()
	for len(sent) > len(name) {
		if sent[len(name)] == ':' && strings.EqualFold(utils.UnsafeString(sent[:len(name)]), name) {
			count++
		}
		end := bytes.IndexByte(sent, '\n')
		if end < 0 {
			break
		}
		sent = sent[end+1:]
	}
	return count
}

// Param returns the named path parameter of the matched route, percent-decoded once,
// and "" if there is none. Its name is case-sensitive, also where [fiber.Ctx.Params]
// ignores case. Like all texts of a Fiber request, it is valid until the handler
// returns, unless the app is Immutable.
func Param(c fiber.Ctx, name string) string {
	value, _ := router{}.PathParam(c, name)
	return value
}

// writeFields writes the fields of a decision into a response.
func writeFields(c fiber.Ctx, fields adapter.Fields) {
	header, put := &c.Response().Header, add
	if lines, _ := compare(header, &fields); lines > 0 {
		put = write
	}
	fields.Each(func(field catalogue.Field, mode adapter.FieldMode) { put(header, field, mode) })
}

// restoreFields writes again what is lost where a handler resets the response, as
// fasthttp does for status 304, or sends that of a proxy. The handlers of an abandoned
// request have not come back yet, and may write to its own response.
func restoreFields(c fiber.Ctx, fields adapter.Fields) {
	response := c.Response()
	if c.IsAbandoned() {
		if response = c.RequestCtx().LastTimeoutErrorResponse(); response == nil {
			return
		}
	}
	header, count := &response.Header, 0
	fields.Each(func(catalogue.Field, adapter.FieldMode) { count++ })
	if lines, same := compare(header, &fields); lines == count && same == count {
		return
	}
	fields.Each(func(field catalogue.Field, mode adapter.FieldMode) {
		if mode != adapter.JoinField {
			mode = adapter.KeepField // what the handler has set replaces it
		}
		write(header, field, mode)
	})
}

// compare counts the lines that a response has under the names of a decision's fields,
// and those of them that are the same. It compares names: PeekAll normalizes each one
// first, which takes longer.
func compare(header *fasthttp.ResponseHeader, fields *adapter.Fields) (lines, same int) {
	for name, line := range header.All() {
		fields.Each(func(field catalogue.Field, _ adapter.FieldMode) {
			if field.Name == string(name) {
				lines++
				if field.Lines[0] == string(line) {
					same++
				}
			}
		})
	}
	return lines, same
}

// add adds a field to a response that lacks it, or has the field of an earlier
// decision.
func add(header *fasthttp.ResponseHeader, field catalogue.Field, mode adapter.FieldMode) {
	if mode != adapter.AddField && len(field.Lines) == 1 { // its text is as Set would make it
		header.SetCanonical(utils.UnsafeBytes(field.Name), utils.UnsafeBytes(field.Lines[0]))
		return
	}
	for _, line := range field.Lines {
		header.Add(field.Name, line)
	}
}

// write writes a field of the decision into a response.
func write(header *fasthttp.ResponseHeader, field catalogue.Field, mode adapter.FieldMode) {
	found := header.PeekAll(field.Name)
	if len(found) == 0 {
		add(header, field, mode)
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
