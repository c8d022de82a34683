package servertest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/usage"
)

// BenchmarkAppend appends what 200 processes have counted, 1,000 changed combinations
// of 20,000 each, and then merges it.
func BenchmarkAppend(b *testing.B) {
	const processes, changes = 200, 1000
	d := newPostgreSQL(b)
	db := open(b, d)
	db.SetMaxOpenConns(100)
	for round := 0; b.Loop(); round++ {
		b.StopTimer()
		var all []*process
		source := rand.New(rand.NewPCG(1, uint64(round)))
		for range processes {
			p := start(b, d, withDB(db))
			for _, i := range source.Perm(usage.MaxCells)[:changes] {
				p.Observe(b.Context(), call("v1", fmt.Sprint("client ", i/20), fmt.Sprint("/users/{id}/things/", i%20), noon))
			}
			all = append(all, p)
		}
		if round == 0 { // the tables
			require.Equal(b, 200, start(b, d, withDB(db)).get("level=summary").Code)
		}
		b.StartTimer()
		begun := time.Now()
		var group sync.WaitGroup
		for _, p := range all {
			group.Go(func() {
				if err := p.Close(context.Background()); err != nil {
					b.Error(err)
				}
			})
		}
		group.Wait()
		b.ReportMetric(time.Since(begun).Seconds(), "s-append")
		reader := start(b, d, withDB(db))
		begun = time.Now()
		require.Equal(b, 409, reader.get("ready=v1").Code)
		b.ReportMetric(time.Since(begun).Seconds(), "s-merge-and-read")
		require.Equal(b, (round+1)*processes*changes, countOf(b, d, `SELECT sum(requests) FROM verso_usage`))
	}
}

// BenchmarkObserve counts in memory. It is as fast as a table.
func BenchmarkObserve(b *testing.B) {
	o := call("v1", "acme", "/users", noon)
	for name, observe := range map[string]func(context.Context, verso.Observation){
		"table": usage.NewTable(&verso.Config{Catalogue: versions()}).Observe,
		"store": start(b, newSQLite(b)).Observe,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				observe(b.Context(), o)
			}
		})
	}
}

// BenchmarkPage reads the page over 90 days.
func BenchmarkPage(b *testing.B) {
	for _, of := range []struct {
		name string
		make func(tb testing.TB) database
	}{{"PostgreSQL", newPostgreSQL}, {"SQLite", newSQLite}} {
		for _, size := range []struct{ clients, routes int }{{50, 8}, {1000, 2}, {1000, 20}} {
			b.Run(fmt.Sprintf("%s/%dx%d", of.name, size.clients, size.routes), func(b *testing.B) {
				d := of.make(b)
				for _, first := range []int{89, 59, 29} {
					writer := start(b, d)
					for day := first; day > first-30; day-- {
						for client := range size.clients {
							for route := range size.routes {
								writer.Observe(b.Context(), call("v1", fmt.Sprint("client ", client), fmt.Sprint("/users/{id}/things/", route), noon.AddDate(0, 0, -day)))
							}
						}
					}
					require.NoError(b, writer.Close(b.Context()))
				}
				p := start(b, d)
				require.Equal(b, 200, p.get("format=html").Code)
				for _, query := range []string{"format=html", "format=json"} {
					b.Run(query[len("format="):], func(b *testing.B) {
						for b.Loop() {
							require.Equal(b, 200, p.get(query).Code)
						}
					})
				}
			})
		}
	}
}
