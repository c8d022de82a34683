package params

import (
	"fmt"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
)

// Ordered is embedded in what is embedded.
type Ordered struct {
	OrderBy string `query:"sorting" form:"sorting" header:"sorting"`
	Plan    string `query:"plan" form:"plan" header:"plan"`
}

type Paged struct {
	Ordered
	Limit int `query:"limit" form:"limit" header:"limit"`
}

// Money is one parameter, with fields of its own.
type Money struct{ Units int }

func (m *Money) UnmarshalText(text []byte) error {
	_, err := fmt.Sscan(string(text), &m.Units)
	return err
}

func (m Money) MarshalText() ([]byte, error) { return fmt.Append(nil, m.Units), nil }

type Nested struct {
	Paged
	Price Money  `query:"price" form:"price" header:"price"`
	Own   string `query:"own" form:"own" header:"own"`
}

// TestNestedNames: a binder that reads the names of embedded structs reads through them what
// Verso drops and lifts there.
func TestNestedNames(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x", migrate.For[Nested](
		migrate.Renamed("sort", "sorting"), migrate.Added("plan"), migrate.Added("price")))), migrate.Release("v1")))
	app := fiber.New()
	v := versofiber.New(app, api)
	show := func(bind func(*fiber.Bind, any) error) fiber.Handler {
		return func(c fiber.Ctx) error {
			var n Nested
			if err := bind(c.Bind(), &n); err != nil {
				return err
			}
			return c.SendString(fmt.Sprintf("%+v %v", n, c.Query("other.plan")))
		}
	}
	v.Rewrite(history.Route(migrate.Query[Nested]())).Get("/query", show((*fiber.Bind).Query))
	v.Rewrite(history.Route(migrate.Form[Nested]())).Post("/form", show((*fiber.Bind).Form))
	v.Rewrite(history.Route(migrate.Headers[Nested]())).Get("/header", show((*fiber.Bind).Header))
	service := frameworks.OverFiber(app)
	const none = "200 {Paged:{Ordered:{OrderBy: Plan:} Limit:0} Price:{Units:0} Own:} "
	for _, place := range []string{"query", "urlencoded", "multipart"} {
		for _, name := range []string{"plan", "Paged.plan", "ordered.plan", "Paged.Ordered.plan", "paged[plan]", "Paged[ordered][PLAN]", "price.units", "Price[Units]", "price"} {
			assert.Equal(t, none, bound(t, service, place, "v1", [2]string{name, "7"}), name)
			assert.NotEqual(t, none, bound(t, service, place, "v2", [2]string{name, "7"}), name)
		}
		for _, path := range []string{"", "Paged.", "ordered.", "PAGED.ordered.", "other."} {
			assert.Equal(t, bound(t, service, place, "v2", [2]string{path + "sorting", "a"}, [2]string{path + "limit", "7"}),
				bound(t, service, place, "v1", [2]string{path + "sort", "a"}, [2]string{path + "limit", "7"}), path)
		}
	}
	assert.Equal(t, none+"x", bound(t, service, "query", "v1", [2]string{"other.plan", "x"}), "the handler's own")
	for _, name := range []string{"Plan", "Paged.Plan", "Ordered.plan", "Paged.ordered.Plan", "Price"} {
		assert.Equal(t, none, bound(t, service, "header", "v1", [2]string{name, "7"}), name)
		assert.NotEqual(t, none, bound(t, service, "header", "v2", [2]string{name, "7"}), name)
	}
}
