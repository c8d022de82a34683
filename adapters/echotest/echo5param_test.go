//go:build echo5

package echotest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho5"
)

// TestParamIsDecodedOnce sends parameters in several encodings to routers with
// each setting that changes what Echo makes of them.
func TestParamIsDecodedOnce(t *testing.T) {
	texts := []string{
		"plain", "a b", "a+b", "100%", "%", "%2", "%zz", "%41", "%2541", "a%2Fb", "a%252Fb%", "ж%", "a:b*c%", "\xff%", "%25+", `\:`,
	}
	encodings := map[string]func(string) string{
		"as Go writes it": url.PathEscape,
		"all of it":       encodeAll,
		"lower case":      func(text string) string { return strings.ToLower(encodeAll(text)) },
	}
	for _, unescape := range []bool{false, true} {
		for _, decoded := range []bool{false, true} {
			e := echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{
				UnescapePathParamValues:   unescape,
				UseEscapedPathForMatching: decoded,
			})})
			var got []string
			answer := func(names ...string) echo.HandlerFunc {
				return func(c *echo.Context) error {
					got = nil
					for _, name := range names {
						got = append(got, versoecho5.Param(c, name))
					}
					return nil
				}
			}
			e.GET("/one/:a", answer("a"))
			e.GET("/two/:a/and/:b", answer("a", "b", "none"))
			e.GET(`/c\:a/x\:-:a/*`, answer("a", "*"))
			e.GET("/:a/last", answer("a"))
			request := func(path string) []string {
				response := httptest.NewRecorder()
				e.ServeHTTP(response, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
				assert.Equal(t, http.StatusOK, response.Code, path)
				return got
			}
			for name, encode := range encodings {
				for _, text := range texts {
					t.Run(fmt.Sprintf("unescape %t, decoded %t/%s/%s", unescape, decoded, name, text), func(t *testing.T) {
						sent := encode(text)
						assert.Equal(t, []string{text}, request("/one/"+sent))
						assert.Equal(t, []string{text, text, ""}, request("/two/"+sent+"/and/"+sent))
						assert.Equal(t, []string{text, text + "/" + text}, request("/c:a/x:-"+sent+"/"+sent+"/"+sent))
						assert.Equal(t, []string{text}, request("/"+sent+"/last"))
						if assert.Equal(t, []string{text + "/" + text}, request("/one/"+sent+"%2f"+sent)) && !decoded {
							assert.Equal(t, []string{text + "/" + text}, request("/"+sent+"%2F"+sent+"/last"))
						}
					})
				}
			}
		}
	}
}

// TestParamIsCutWhereEchoCuts sends slashes that Echo takes for part of a
// parameter or not, as the router is configured.
func TestParamIsCutWhereEchoCuts(t *testing.T) {
	for _, unescape := range []bool{false, true} {
		for _, decoded := range []bool{false, true} {
			t.Run(fmt.Sprintf("unescape %t, decoded %t", unescape, decoded), func(t *testing.T) {
				e := echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{
					UnescapePathParamValues:   unescape,
					UseEscapedPathForMatching: decoded,
				})})
				e.GET("/:a/and/:b", func(c *echo.Context) error {
					return c.String(http.StatusOK, versoecho5.Param(c, "a")+" and "+versoecho5.Param(c, "b"))
				})
				want := "x/and/y%41 and z"
				if decoded {
					want = "x and y%41/and/z"
				}
				assert.Equal(t, want, send(t, e, http.MethodGet, "/x%2Fand%2Fy%2541/and/z", nil).Body)

				// The second segment is another one in the decoded path.
				e.GET("/of/:a/:b/end", func(c *echo.Context) error {
					return c.String(http.StatusOK, versoecho5.Param(c, "a")+" and "+versoecho5.Param(c, "b"))
				})
				if !decoded {
					assert.Equal(t, "x/%41 and A", send(t, e, http.MethodGet, "/of/x%2F%2541/%41/end", nil).Body)
				}
			})
		}
	}
}

func encodeAll(text string) string {
	var encoded strings.Builder
	for i := range len(text) {
		fmt.Fprintf(&encoded, "%%%02X", text[i])
	}
	return encoded.String()
}

func TestParamOfAnotherPath(t *testing.T) {
	e := echo.New()
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error { // as a middleware that rewrites too late
			c.Request().URL.Path, c.Request().URL.RawPath = "/other%", ""
			return next(c)
		}
	})
	e.GET("/users/:id", func(c *echo.Context) error { return c.String(http.StatusOK, versoecho5.Param(c, "id")) })
	assert.Equal(t, "7", send(t, e, http.MethodGet, "/users/7", nil).Body)
}

func TestParamOfAnotherPattern(t *testing.T) {
	e := echo.New()
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			c.SetPath("/shown")
			return next(c)
		}
	})
	e.GET("/users/:id", func(c *echo.Context) error { return c.String(http.StatusOK, versoecho5.Param(c, "id")) })
	assert.Equal(t, "7%", send(t, e, http.MethodGet, "/users/7%25", nil).Body)
}
