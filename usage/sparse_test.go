package usage_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// sparse leaves out all that a reader may leave out.
type sparse struct{ usage.Reader }

func (r sparse) Clients(ctx context.Context, version string, wanted usage.Wanted) iter.Seq2[*usage.ClientTotal, error] {
	return func(yield func(*usage.ClientTotal, error) bool) {
		for c, err := range r.Reader.Clients(ctx, version, wanted) {
			some := *c
			switch {
			case wanted.NamesOnly:
				some = usage.ClientTotal{ClientName: c.ClientName, Last: c.Last}
			case wanted.Served:
				some.Requests, some.Rejected, some.First, some.Since = 0, 0, 0, 0
			}
			if c.Last < wanted.DaysSince {
				some.Days, some.RejectedDays = nil, nil
			}
			if c.Last >= wanted.RoutesBefore {
				some.Routes = ""
			}
			if !yield(&some, err) {
				return
			}
		}
	}
}

// TestSparseReader: what a reader may leave out makes no difference to any answer, on one day after another.
func TestSparseReader(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	clock := versotest.NewClock(noon.AddDate(0, 0, -90))
	table := usage.NewBoundedTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now}, usage.Bounds{Clients: 12})
	full, part := table.Handler(nil), table.Handler(nil)
	open := part.Open
	part.Open = func(ctx context.Context) (usage.Reader, error) {
		r, err := open(ctx)
		return sparse{r}, err
	}
	for day := range 90 {
		clock.Set(noon.AddDate(0, 0, day-90))
		for i := range 15 { // beyond the bound
			if random.IntN(i%4+1) == 0 {
				version := "v1"
				if day > 15*(i%6)+10 { // those of 5 not yet
					version = "v2"
				}
				o := call(version, fmt.Sprint("client ", i), fmt.Sprint("/", random.IntN(4)), clock.Now())
				if random.IntN(9) == 0 {
					o.Outcome = "not_in_version"
				}
				table.Observe(t.Context(), o)
			}
		}
		if day == 60 {
			require.NoError(t, table.Except(t.Context(), usage.Exception{Version: "v1", Client: "client 1", By: "Ann"}))
		}
		if day%10 != 9 {
			continue
		}
		ask(full, "GET", "/?format=openmetrics") // the table records the first answer of a day
		for _, query := range []string{
			"format=html", "ready=v1", "format=openmetrics", "clients=v1&format=html", "client=client+1&format=json",
			"letters=v1&format=csv", "format=csv", "format=json", "format=json&level=summary", "format=jsonl",
		} {
			want, got := ask(full, "GET", "/?"+query), ask(part, "GET", "/?"+query)
			assert.Equal(t, want.Code, got.Code, query)
			assert.True(t, want.Body.String() == got.Body.String(), query) // else it prints two pages
		}
	}
}
