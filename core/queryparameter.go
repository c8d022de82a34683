package verso

import "net/http"

var invalidQueryParameterVersion = refusal{http.StatusNotFound, InvalidQueryParameterVersion}

// QueryParameter reads the version from a query parameter, as in
// /users?version=v1. Specification: "QueryParameterVersioning".
type QueryParameter struct{ *Base }

var _ Scheme = (*QueryParameter)(nil)

// NewQueryParameter returns the scheme QueryParameterVersioning. It fails
// when an allowed version is listed twice.
func NewQueryParameter(settings Settings) (*QueryParameter, error) {
	base, err := NewBase(QueryParameterVersioning, settings)
	if err != nil {
		return nil, err
	}
	return &QueryParameter{base}, nil
}

// DetermineVersion returns the last value of the version parameter. A version
// that is not allowed is an [*Error] with status 404.
func (s *QueryParameter) DetermineVersion(r Request) (Version, error) {
	value, ok := r.QueryParam(s.rules.VersionParam)
	if !ok {
		return s.fallBack(&invalidQueryParameterVersion)
	}
	return s.decide(value, &invalidQueryParameterVersion)
}

// Reverse delegates and sets the version as a query parameter of the URL: see
// [ReplaceQueryParam].
func (s *QueryParameter) Reverse(r Request, reverser Reverser, target Target) (string, error) {
	rawURL, err := reverser.Reverse(r, target)
	v := versionFor(r, target)
	if err != nil || v.IsNone() {
		return rawURL, err
	}
	return ReplaceQueryParam(rawURL, s.rules.VersionParam, v.String()), nil
}
