package sources

import (
	"fmt"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/query"
	"github.com/goverso/verso/core/source"
)

// This file reads a version from the query of the URL. In comes the query as it was sent; out comes the last value of
// the parameter, decoded, as most clients and servers read it. Forms in bodies are not read: a check leaves the
// body to the handler. The query is scanned in place, since a map of its pairs would be allocated for each request.

var invalidQueryParameterVersion = source.Rejection{Status: 404, Message: source.InvalidQueryParameterVersion}

// QueryParam is the source of this name in package verso.
func QueryParam(name string) source.Source { return newOwn(&queryParam{name}) }

type queryParam struct{ name string }

func (s *queryParam) read(r *source.Request, served *source.ServedVersions, reading *source.Reading) {
	rawQuery := r.RawQuery()
	if query.HasTooManyPairs(rawQuery) {
		reading.Outcome = source.Malformed
		return
	}
	text, ok := query.Last(rawQuery, s.name)
	if !ok {
		return
	}
	reading.Outcome, reading.Text = source.Found, text
	if served.RefusesContradictions() && query.HasOther(rawQuery, s.name, text) {
		reading.Outcome = source.Contradicting
	}
}

func (s *queryParam) write(w *source.Written, v source.Version) { w.SetQuery(s.name, v.String()) }

func (s *queryParam) Describe() source.Description {
	return source.Description{
		Name: fmt.Sprintf("query parameter %q", s.name), Place: source.InQuery,
		Invalid: invalidQueryParameterVersion, Check: s.check,
	}
}

func (s *queryParam) check(*source.ServedVersions) []source.Finding {
	if s.name == "" {
		return []source.Finding{finding.Of(codes.QueryParam, "version")}
	}
	if strings.HasPrefix(s.name, "?") || strings.HasSuffix(s.name, "=") || strings.Contains(s.name, ",") {
		return []source.Finding{finding.Of(codes.QueryName, s.name, "version")}
	}
	return nil
}
