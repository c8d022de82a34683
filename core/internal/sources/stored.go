package sources

import (
	"errors"
	"fmt"

	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/source"
)

// Stored is the source of this name in package verso.
func Stored(key any, headers ...string) source.Source { return &stored{key, headers} }

type stored struct {
	key     any
	headers []string
}

var errStored = errors.New("the value is neither a text nor a Version: store its text")

func (s *stored) Read(r source.Request, _ *source.ServedVersions) (reading source.Reading) {
	switch value := r.Value(s.key).(type) {
	case nil:
	case string:
		reading.Text = value
	case source.Version:
		reading.Text = value.String()
	default:
		return source.Reading{Outcome: source.Failed, Err: errStored}
	}
	if reading.Text != "" {
		reading.Outcome = source.Found
	}
	return reading
}

// Write changes nothing: a link leads the same caller.
func (s *stored) Write(w source.Written, _ source.Version) (source.Written, error) { return w, nil }

func (s *stored) Describe() source.Description {
	return source.Description{Name: fmt.Sprintf("stored value %q", fmt.Sprint(s.key)), Headers: s.headers, Check: s.check}
}

func (s *stored) check(*source.ServedVersions) []source.Finding {
	if len(s.headers) > 0 {
		return nil
	}
	return []source.Finding{finding.Warn("stored_without_headers", "Source", "the source names no header by which a middleware recognizes the caller, so a cache may answer one caller with the version of another: name them, such as %q", "Authorization")}
}
