package source

import (
	"fmt"

	"github.com/goverso/verso/core/internal/query"
)

var invalidQueryParameterVersion = Rejection{Status: 404, Message: InvalidQueryParameterVersion}

// QueryParam returns the source that reads a query parameter, for example in
// /users?version=v1. Of several values the last one applies, unless
// [github.com/goverso/verso/core.Strictness].RefuseContradictions is set. A version that is not served is rejected with
// status 404, a request without a version if there is no default with status 400. In a
// link the version replaces all values of that name, and the parameters are sorted by
// name. Specification: "QueryParameterVersioning".
func QueryParam(name string) Source { return &queryParam{name} }

type queryParam struct{ name string }

func (s *queryParam) Read(r Request, served *ServedVersions) Reading {
	return readBy(s.read, r, served)
}

func (s *queryParam) read(r *Request, served *ServedVersions, reading *Reading) {
	rawQuery := r.RawQuery()
	if query.HasTooManyPairs(rawQuery) {
		reading.Outcome = Malformed
		return
	}
	text, ok := query.Last(rawQuery, s.name)
	if !ok {
		return
	}
	reading.Outcome, reading.Text = Found, text
	if served.RefusesContradictions() && query.HasOther(rawQuery, s.name, text) {
		reading.Outcome = Contradicting
	}
}

func (s *queryParam) Write(w Written, v Version) (Written, error) { return writeBy(s.write, w, v) }

func (s *queryParam) write(w *Written, v Version) { w.SetQuery(s.name, v.String()) }

func (s *queryParam) Describe() Description {
	return Description{
		Name: fmt.Sprintf("query parameter %q", s.name), Place: InQuery,
		Invalid: invalidQueryParameterVersion, Check: s.check,
	}
}

func (s *queryParam) check(*ServedVersions) []Finding {
	if s.name == "" {
		return []Finding{refuse("query_param", "Source", "the query parameter has no name: write one, such as %q", "version")}
	}
	return nil
}
