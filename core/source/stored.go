package source

import (
	"errors"
	"fmt"
)

// Stored returns the source that reads the value which a middleware before the check has
// stored for the request under a key: the version of the caller, as a text or a [Version].
// See [Request.Value] for where each framework stores it. headers are those by which the
// middleware recognizes the caller, in canonical form: responses name them in Vary.
//
//	verso.First(verso.Header("Api-Version"), verso.Stored("pin", "Authorization"))
//
// A request for which nothing is stored, or an empty text, has no version here.
func Stored(key any, headers ...string) Source { return &stored{key, headers} }

type stored struct {
	key     any
	headers []string
}

var errStored = errors.New("the value is neither a text nor a Version: store its text")

func (s *stored) Read(r Request, _ *ServedVersions) (reading Reading) {
	switch value := r.Value(s.key).(type) {
	case nil:
	case string:
		reading.Text = value
	case Version:
		reading.Text = value.String()
	default:
		return Reading{Outcome: Failed, Err: errStored}
	}
	if reading.Text != "" {
		reading.Outcome = Found
	}
	return reading
}

// Write changes nothing: a link leads the same caller.
func (s *stored) Write(w Written, _ Version) (Written, error) { return w, nil }

func (s *stored) Describe() Description {
	return Description{Name: fmt.Sprintf("stored value %q", fmt.Sprint(s.key)), Headers: s.headers, Check: s.check}
}

func (s *stored) check(*ServedVersions) []Finding {
	if len(s.headers) > 0 {
		return nil
	}
	return []Finding{warn("stored_without_headers", "Source", "the source names no header by which a middleware recognizes the caller, so a cache may answer one caller with the version of another: name them, such as %q", "Authorization")}
}
