package middleware

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// cached is a cache of responses in the memory of the process, as packages have it.
func cached(key func(c *gin.Context) string) gin.HandlerFunc {
	bodies := make(map[string]string)
	return func(c *gin.Context) {
		if body, ok := bodies[key(c)]; ok {
			c.String(http.StatusOK, body)
			c.Abort()
			return
		}
		w := &keeping{ResponseWriter: c.Writer}
		c.Writer = w
		c.Next()
		if w.Status() == http.StatusOK {
			bodies[key(c)] = w.body
		}
	}
}

type keeping struct {
	gin.ResponseWriter
	body string
}

func (w *keeping) Write(data []byte) (int, error) {
	w.body += string(data)
	return w.ResponseWriter.Write(data)
}

func (w *keeping) WriteString(text string) (int, error) { return w.Write([]byte(text)) }

// byVersion is the page's.
func byVersion(v *versogin.Routes, list gin.HandlerFunc) {
	key := func(c *gin.Context) string {
		return versogin.Version(c).String() + " " + c.Request.RequestURI
	}
	v.AfterCheck(cached(key)).GET("/bookings", list)
}

// TestCache needs both: the cache after the check, and the version in its key.
func TestCache(t *testing.T) {
	gin.SetMode(gin.TestMode)
	list := func(c *gin.Context) { c.String(http.StatusOK, "bookings of "+versogin.Version(c).String()) }
	uri := func(c *gin.Context) string { return c.Request.RequestURI }
	for _, test := range []struct {
		name     string
		register func(v *versogin.Routes)
		want     []string // for v1, v2, v9, none, and v1 after its end
	}{
		{"as most packages show it", func(v *versogin.Routes) { v.GET("/bookings", cached(uri), list) },
			[]string{"bookings of v1", "bookings of v1", "bookings of v1", "bookings of v1", "bookings of v1"}},
		{"after the check", func(v *versogin.Routes) { v.AfterCheck(cached(uri)).GET("/bookings", list) },
			[]string{"bookings of v1", "bookings of v1", "400", "400", "410"}},
		{"after the check, by version", func(v *versogin.Routes) { byVersion(v, list) },
			[]string{"bookings of v1", "bookings of v2", "400", "400", "410"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			end := time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)
			now := end.Add(-time.Hour)
			r := gin.New()
			test.register(versogin.New(r, verso.MustNew(verso.Header("Api-Version"), verso.Config{
				Catalogue: catalogue.MustNew(catalogue.Config{
					Versions: []catalogue.Entry{{Version: "v1", Sunset: end}, {Version: "v2"}}, AfterSunset: catalogue.Gone,
				}),
				Clock: func() time.Time { return now },
			})))
			var got []string
			for _, version := range []string{"v1", "v2", "v9", "", "v1"} {
				if len(got) == 4 {
					now = end
				}
				request, w := httptest.NewRequest(http.MethodGet, "/bookings", nil), httptest.NewRecorder()
				if version != "" {
					request.Header.Set("Api-Version", version)
				}
				r.ServeHTTP(w, request)
				answer := w.Body.String()
				if w.Code != http.StatusOK {
					answer = strconv.Itoa(w.Code)
				}
				got = append(got, answer)
			}
			assert.Equal(t, test.want, got)
		})
	}
}
