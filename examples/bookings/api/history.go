package api

import (
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// newHistory returns what changed: v1 and v2 are nothing else.
func newHistory(versioning *verso.Versioning) (*migrate.History, error) {
	return migrate.New(versioning,
		migrate.Release("v3",
			migrate.Changed("A guest has a first and a last name.", migrate.For[Booking](migrate.Split("guest_name", "first_name", "last_name", split, join))),
			migrate.Changed("An invoice says its currency.", migrate.For[Invoice](migrate.Mapped("total", euros, amount))),
			migrate.Changed("Errors are problem details.", migrate.For[verso.Problem](migrate.Reshaped(nil, oldError, "application/json")))),
		migrate.Release("v2", migrate.Changed("A guest is a guest_name.", migrate.For[Booking](migrate.Renamed("guest", "guest_name")))),
		migrate.Release("v1"))
}

// The bodies of routes. Clients of the first days send JSON as a form.
func (s *Service) rewriter(bodies ...migrate.Body) *migrate.Route {
	return s.History.Route(append(bodies, migrate.Fails[verso.Problem](verso.ProblemType), migrate.AnyType())...)
}

// Rewriters rewrite the bodies of older versions.
type Rewriters struct{ List, Show, Save, Invoice, None verso.Rewriter }

// Rewriters returns those of the routes.
func (s *Service) Rewriters() Rewriters {
	return Rewriters{
		List:    s.rewriter(migrate.Returns[Page]()),
		Show:    s.rewriter(migrate.Returns[Booking]()),
		Save:    s.rewriter(migrate.Accepts[Booking](), migrate.Returns[Booking]()),
		Invoice: s.rewriter(migrate.Returns[Invoice]()),
		None:    s.rewriter(migrate.Passes("application/json")), // the OpenAPI document of the version
	}
}

// Changelog serves browsers what each version changed, and programs the versions and their
// dates.
func (s *Service) Changelog(explain func() *verso.Explanation) http.Handler {
	return s.History.ChangelogHandler(explain, s.Versions.Handler(s.Clock))
}
