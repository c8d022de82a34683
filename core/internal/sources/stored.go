package sources

import (
	"errors"
	"fmt"
	"net/textproto"
	"reflect"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/source"
)

// This file reads a version that middleware of the service has stored for a request, such as the version of an account. In
// comes a value of any type. A value of another type than a text or a version fails with status 500: the mistake
// is the service's, and no client is to blame. A link carries nothing: it leads the same caller to the same value.

// Stored is the source of this name in package verso.
func Stored(key any, headers ...string) source.Source {
	s := &stored{key: key}
	for _, name := range headers {
		s.headers = append(s.headers, textproto.CanonicalMIMEHeaderKey(name))
	}
	return newOwn(s)
}

type stored struct {
	key     any
	headers []string
}

// ErrStored is why a stored value is not read.
var ErrStored = errors.New("it is neither a text nor a Version")

func (s *stored) read(r *source.Request, reading *source.Reading) {
	switch value := r.Value(s.key).(type) {
	case nil:
	case string:
		reading.Text = value
	case source.Version:
		reading.Text = value.String()
	default:
		reading.Outcome, reading.Err = source.Failed, fmt.Errorf("%w: %T", ErrStored, value)
	}
	if reading.Text != "" {
		reading.Outcome = source.Found
	}
}

func (s *stored) Describe() source.Description {
	name := fmt.Sprintf("stored value of type %T", s.key)
	if key := reflect.ValueOf(s.key); key.Kind() == reflect.String {
		name = fmt.Sprintf("stored value %q", key)
	}
	return source.Description{Name: name, Headers: s.headers, Stored: true, Check: s.check}
}

func (s *stored) check(*source.ServedVersions) (findings []source.Finding) {
	if key := reflect.ValueOf(s.key); !key.IsValid() || !key.Comparable() {
		findings = append(findings, finding.Of(codes.StoredKey, s.key))
	} else if key.Kind() == reflect.String && key.Len() == 0 {
		findings = append(findings, finding.Of(codes.StoredKeyEmpty))
	}
	for _, name := range s.headers {
		if !text.IsToken(name) {
			findings = append(findings, finding.Of(codes.StoredHeader, name, "Authorization"))
		}
	}
	if len(s.headers) == 0 {
		findings = append(findings, finding.Of(codes.StoredWithoutHeaders, s.Describe().Name, "Authorization"))
	}
	return findings
}
