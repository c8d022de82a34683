package catalogue_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// at returns the time of a valid date.
func at(text string) time.Time {
	t, err := catalogue.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return t
}

// newCatalogue makes a catalogue of a valid configuration.
func newCatalogue(tb testing.TB, config catalogue.Config) *catalogue.Catalogue {
	tb.Helper()
	c, err := catalogue.New(config)
	if err != nil {
		tb.Fatalf("New: %v", err)
	}
	return c
}

// newRoute makes the table of a valid route.
func newRoute(tb testing.TB, c *catalogue.Catalogue, config catalogue.RouteConfig) *catalogue.Table {
	tb.Helper()
	table, err := c.Route(config)
	if err != nil {
		tb.Fatalf("Route: %v", err)
	}
	return table
}

// mistake is one mistake of an error, without its message.
type mistake struct {
	code, field string
}

// mistakesOf returns the mistakes that an error joins.
func mistakesOf(t *testing.T, err error) []mistake {
	t.Helper()
	if err == nil {
		return nil
	}
	errs := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		errs = joined.Unwrap()
	}
	var mistakes []mistake
	for _, err := range errs {
		var e *catalogue.Error
		if !errors.As(err, &e) {
			t.Fatalf("%v is not an *Error", err)
		}
		if e.Message == "" || e.Code == "" {
			t.Errorf("%#v has no message or no code", e)
		}
		mistakes = append(mistakes, mistake{e.Code, e.Field})
	}
	return mistakes
}

// checkMistakes compares the mistakes of an error with the wanted ones, in order.
func checkMistakes(t *testing.T, err error, want ...mistake) {
	t.Helper()
	if got := mistakesOf(t, err); !slices.Equal(got, want) {
		t.Errorf("mistakes %v, want %v: %v", got, want, err)
	}
}

// linesOf returns the lines of fields by name.
func linesOf(fields []catalogue.Field) map[string][]string {
	lines := make(map[string][]string, len(fields))
	for _, field := range fields {
		lines[field.Name] = field.Lines
	}
	return lines
}
