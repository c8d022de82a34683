package versofiber_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/gofiber/fiber/v3"
	fiberrecover "github.com/gofiber/fiber/v3/middleware/recover"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
)

// guests renames a member for clients of v1. Module migrate makes such rewriters.
type guests struct{}

func (guests) LowerQuery(_ verso.Version, query url.Values) url.Values { return query }

func (guests) Review(*verso.Versioning) []verso.Finding { return nil }

func (guests) Begin(verso.Version, http.ResponseWriter, *http.Request) (verso.Rewriting, error) {
	return nil, nil // this framework has buffers
}

func (guests) BeginBuffered(v verso.Version, _ string, _ verso.RequestMessage) (func(int, verso.ResponseMessage) error, error) {
	if !v.Is("v1") {
		return nil, nil
	}
	return func(_ int, response verso.ResponseMessage) error {
		response.SetBody(bytes.ReplaceAll(response.Body(), []byte("guest_name"), []byte("guest")))
		return nil
	}, nil
}

// Bodies of v1 are rewritten; the handler knows v2 only.
func ExampleRoutes_Rewrite() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	app := fiber.New()
	v := versofiber.New(app, api)
	app.Use(v.RewriteErrors(), fiberrecover.New())
	v.Rewrite(guests{}).Get("/bookings/:id", func(c fiber.Ctx) error {
		return c.JSON(fiber.Map{"guest_name": "Ada"})
	})

	for _, version := range []string{"v1", "v2"} {
		request := httptest.NewRequest(http.MethodGet, "/bookings/1", nil)
		request.Header.Set("Api-Version", version)
		response, err := app.Test(request)
		if err != nil {
			fmt.Println(err)
			continue
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fmt.Println(version, string(body))
	}
	// Output:
	// v1 {"guest":"Ada"}
	// v2 {"guest_name":"Ada"}
}
