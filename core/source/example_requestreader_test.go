package source_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// message is a request of a framework that is not over net/http, and its response.
type message struct {
	host, query string
	fields      http.Header
	params      map[string]string // of the path
	kept        *verso.Result
	answer      http.Header
}

// facts reads messages.
type facts struct{}

func (facts) Secure(any) bool { return false }

func (facts) Host(request any) string { return request.(*message).host }

func (facts) RawQuery(request any) string { return request.(*message).query }

func (facts) Context(any) context.Context { return context.Background() }

func (facts) Header(request any, name string) (value string, ok bool) {
	lines, ok := request.(*message).fields[name]
	if name == "Cookie" {
		return strings.Join(lines, "; "), ok
	}
	return strings.Join(lines, ", "), ok
}

// PathParam and Routes are what a binding asks of the router. A request that no
// binding decides on needs it too, if a source reads a path parameter.
func (facts) PathParam(request any, name string) (value string, ok bool) {
	value, ok = request.(*message).params[name]
	return value, ok
}

func (facts) Routes() []adapter.Listed { return nil }

// write writes the fields of a decision.
func write(m *message, fields adapter.Fields) {
	fields.Each(func(field catalogue.Field, mode adapter.FieldMode) {
		m.answer[field.Name] = mode.Join(m.answer[field.Name], field.Lines)
	})
}

// An adapter of a framework that is not over net/http has a reader for its requests,
// and writes the response itself.
func ExampleRequestReader() {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{
		Clock: func() time.Time { return now },
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: now.AddDate(0, -6, 0), Sunset: now.AddDate(0, 6, 0), AfterSunset: catalogue.Gone, Successor: "v2"},
				{Version: "v2"},
			},
			Report: true,
		}),
	})

	seam := adapter.NewSeam(adapter.Seam[*message, func()]{
		Binding:   adapter.Bind(api, facts{}),
		Load:      func(m *message) *verso.Result { return m.kept },
		Store:     func(m *message, result *verso.Result) { m.kept = result },
		Write:     write,
		Next:      func(_ *message, next func()) error { next(); return nil },
		NoContent: func(*message) error { return nil },
		Reject: func(m *message, rejected *verso.Error, answer *verso.Answer) error {
			answer.SetFields(m.answer)
			fmt.Println(rejected.StatusCode(), answer.Problem.Detail)
			return nil
		},
		Fail: func(_ *message, err error) error { return err },
	})
	for _, version := range []string{"v1", "v9"} {
		m := &message{"example.com", "page=2", http.Header{"Api-Version": {version}}, map[string]string{"id": "7"}, nil, http.Header{"Vary": {"Origin"}}}
		var call adapter.Call
		call.Request.Set(facts{}, "GET", m, nil)
		err := seam.Check(m, &call, func() { fmt.Println("the handler serves", m.kept.Version()) })
		if err != nil {
			panic(err)
		}
		for _, name := range slices.Sorted(maps.Keys(m.answer)) {
			fmt.Printf("  %s: %s\n", name, m.answer[name][0])
		}
	}

	// What a source reads.
	var r source.Request
	r.Set(facts{}, "GET", &message{"example.com", "page=2", http.Header{"Api-Version": {"v2"}}, map[string]string{"id": "7"}, nil, nil}, nil)
	fmt.Println(r.Method(), r.Secure(), r.Host(), r.RawQuery(), r.Context() == context.Background(), r.IsNone())
	fmt.Println(r.Header("Api-Version"))
	r.SetParams(facts{})
	fmt.Println(r.PathParam("id"))
	fmt.Println(r.Route(), r.Unwrap().(*message).host)
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(r))
	// Output:
	// the handler serves v1
	//   Api-Deprecated-Versions: v1
	//   Api-Supported-Versions: v2
	//   Deprecation: @1779321600
	//   Sunset: Fri, 21 May 2027 00:00:00 GMT
	//   Vary: Origin, Api-Version
	// 400 Invalid version in header.
	//   Api-Deprecated-Versions: v1
	//   Api-Supported-Versions: v2
	//   Vary: Origin, Api-Version
	// GET false example.com page=2 true false
	// v2 true
	// 7 true
	// <nil> example.com
	// v2 <nil>
}
