package verso

import "fmt"

// Result returns the result of a request for a version without a request: what
// an adapter keeps for a handler that is called without the middleware, in a
// test. Its links carry the version in the first source that a URL can carry. It
// fails with [ErrUnknownVersion] when the version may not be served. The clock is
// not asked: a version that has ended has a result as well.
func (v *Versioning) Result(version Version) (*Result, error) {
	if !v.IsAllowedVersion(version) {
		return nil, fmt.Errorf("verso: %w: %q: use one of %q", ErrUnknownVersion, version, v.served.Versions())
	}
	part := v.linkedPart(version)
	if version.IsNone() {
		return &v.none[part], nil
	}
	if known := v.served.lookup(version.String()); known != nil {
		return &known.results[part], nil
	}
	return &v.resultsOf(version, -1)[part], nil
}

// linkedPart returns the first part that a URL can carry, 0 for none.
func (v *Versioning) linkedPart(version Version) int {
	if v.source == nil {
		return 0
	}
	for i, source := range v.source.Describe().Parts {
		if written, err := source.Write(Target{Version: version}, version); err == nil && written.carries {
			return i + 1
		}
	}
	return 0
}

// Source returns the source that versions are read from, nil for the
// specification's base scheme.
func (v *Versioning) Source() Source { return v.source }
