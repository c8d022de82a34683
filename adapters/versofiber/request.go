package versofiber

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/utils/v2"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// facts presents requests of Fiber to Verso. The texts are fasthttp's own memory,
// which is used again for the next request.
type facts struct{}

func requestOf(c fiber.Ctx) verso.Request { return verso.NewRequest(facts{}, c.Method(), c, nil) }

func (facts) Secure(c any) bool             { return c.(fiber.Ctx).RequestCtx().IsTLS() } // c.Scheme trusts proxies
func (facts) Context(c any) context.Context { return c.(fiber.Ctx).Context() }

// Host returns the Host header, or the host of a target that is a whole URL,
// before which it does not count (RFC 9112, section 3.2.2). Fiber's own Host
// looks at X-Forwarded-Host.
func (facts) Host(c any) string {
	ctx := c.(fiber.Ctx).RequestCtx()
	if target := ctx.Request.Header.RequestURI(); len(target) > 0 && target[0] != '/' {
		return utils.UnsafeString(ctx.URI().Host())
	}
	return utils.UnsafeString(ctx.Request.Header.Host())
}

func (facts) RawQuery(c any) string {
	return utils.UnsafeString(c.(fiber.Ctx).RequestCtx().URI().QueryString())
}

func (facts) Header(c any, name string) (value string, ok bool) {
	ctx := c.(fiber.Ctx)
	lines := ctx.Request().Header.PeekAll(name)
	if ctx.App().Server().DisableHeaderNamesNormalizing { // names are as sent: many clients send lower case
		lines = append(slices.Clone(lines), ctx.Request().Header.PeekAll(strings.ToLower(name))...)
	}
	if len(lines) == 1 {
		return utils.UnsafeString(lines[0]), true
	}
	return string(bytes.Join(lines, []byte(", "))), len(lines) > 0
}

// PathParam returns a path parameter, which Fiber leaves encoded by default. Of
// several whose names differ in case only, Fiber has the first one's value, unless
// the app is CaseSensitive.
func (facts) PathParam(c any, name string) (value string, ok bool) {
	ctx := c.(fiber.Ctx)
	if name == "*" || name == "+" {
		name += "1" // as Fiber calls it
	}
	if !slices.Contains(ctx.Route().Params, name) {
		return "", false
	}
	value = ctx.Params(name)
	if strings.Contains(value, "%") && !ctx.App().Config().UnescapePath {
		if decoded, err := url.PathUnescape(value); err == nil {
			return decoded, true
		}
	}
	return value, true
}

func (facts) Route(c any) *route.Route {
	ctx := c.(fiber.Ctx)
	found, _ := routesOf(ctx.App()).Lookup("", ctx.Route().Method, ctx.FullPath())
	return found
}
