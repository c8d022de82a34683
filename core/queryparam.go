package verso

import (
	"fmt"
	"strings"
)

var invalidQueryParameterVersion = Rejection{Status: 404, Message: InvalidQueryParameterVersion}

// QueryParam returns the source that reads a query parameter, as in
// /users?version=v1. Of several values the last one applies, unless
// [Strictness].RefuseContradictions is set. A version that is not served is rejected
// with status 404. In a link the version replaces all values of that name, and the
// parameters are sorted by name. Specification: "QueryParameterVersioning".
func QueryParam(name string) Source { return &queryParam{name} }

type queryParam struct{ name string }

func (s *queryParam) Read(r Request, served *Served) Reading { return readBy(s, r, served) }

func (s *queryParam) read(r *Request, served *Served, reading *Reading) {
	rawQuery := r.RawQuery()
	if tooManyPairs(rawQuery) {
		reading.Outcome = Malformed
		return
	}
	text, ok := lastQueryValue(rawQuery, s.name)
	if !ok {
		return
	}
	reading.Outcome, reading.Text = Found, text
	if served.contradictory && otherQueryValue(rawQuery, s.name, text) {
		reading.Outcome = Contradicting
	}
}

func (s *queryParam) Write(t Target, v Version) (Target, error) { return writeBy(s, t, v) }

func (s *queryParam) write(t *Target, v Version) { t.SetQuery(s.name, v.String()) }

func (s *queryParam) Describe() Description {
	return Description{
		Name:    fmt.Sprintf("query parameter %q", s.name),
		InURL:   true,
		Invalid: invalidQueryParameterVersion,
		Missing: invalidQueryParameterVersion,
		Check:   s.check,
	}
}

func (s *queryParam) check(*Served) []Finding {
	if s.name == "" {
		return []Finding{refuse("query_param", "VersionParam", "the query parameter has no name: write one, such as %q", "version")}
	}
	return nil
}

// otherQueryValue reports whether the parameter has another value than this.
func otherQueryValue(rawQuery, name, value string) bool {
	for pair := range strings.SplitSeq(rawQuery, "&") {
		key, other, _ := strings.Cut(pair, "=")
		if decodesTo(key, name) && !decodesTo(other, value) {
			return true
		}
	}
	return false
}
