package route

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

var (
	// ErrNoMatch matches the errors of a build that found no route for the
	// name and the arguments.
	ErrNoMatch = errors.New("no reverse match")

	// ErrMixedArguments matches the error of a build that was given
	// positional and named arguments together.
	ErrMixedArguments = errors.New("positional and named arguments mixed")
)

// Arguments are what a path is built with: by position or by name, not both. A
// value is text, an integer, an [encoding.TextMarshaler] or a [fmt.Stringer].
type Arguments struct {
	Positional []any
	Named      map[string]any
	Default    Default
}

// Default is one more named argument, which counts when Named has none of its
// name. The zero Default is none.
type Default struct{ Name, Value string }

func (d *Default) isFor(name string) bool {
	return d.Name == name && name != ""
}

// count returns how many arguments there are.
func (a *Arguments) count() int {
	count := len(a.Positional) + len(a.Named)
	if a.Default.Name != "" {
		if _, given := a.Named[a.Default.Name]; !given {
			count++
		}
	}
	return count
}

// has reports whether there is an argument with the given name.
func (a *Arguments) has(name string) bool {
	_, ok := a.Named[name]
	return ok || a.Default.isFor(name)
}

// Path returns the path of the named route with named arguments: see
// [Table.Find] and [Route.AppendPath].
func (t *Table) Path(name string, named map[string]any) (string, error) {
	arguments := Arguments{Named: named}
	var r *Route
	if routes := t.byName[name]; len(routes) == 1 && routes[0].Pattern.distinct == len(named) {
		r = routes[0] // AppendPath looks for the names: once is enough, and saves a sixth of the time
	} else {
		var err error
		if r, err = t.Find("", name, &arguments); err != nil {
			return "", err
		}
	}
	var buffer [128]byte // most paths fit, and need no allocation but their own
	path, err := r.AppendPath(buffer[:0], &arguments)
	return string(path), err
}

// Find returns the route with the given name whose parameters are exactly the
// given arguments. Of several hosts' routes those count that are for the given
// host, before all others.
//
// An unknown name, a missing or extra argument, and a name that stands for
// several paths fail with [ErrNoMatch]; arguments by position and by name
// together with [ErrMixedArguments].
func (t *Table) Find(host, name string, arguments *Arguments) (*Route, error) {
	if len(arguments.Positional) > 0 && (len(arguments.Named) > 0 || arguments.Default.Name != "") {
		return nil, fmt.Errorf("%w: route %q: give either", ErrMixedArguments, name)
	}
	routes := t.byName[name]
	if len(routes) == 0 {
		return nil, fmt.Errorf("%w: no route is called %q", ErrNoMatch, name)
	}
	host = t.hostOfRoutes(host)
	count := arguments.count()
	var chosen, other *Route
	for _, r := range routes {
		switch {
		case !r.Pattern.takes(arguments, count):
		case chosen == nil || chosen.Host != host && r.Host == host:
			chosen, other = r, nil
		case r.Host == chosen.Host || chosen.Host != host:
			other = r
		}
	}
	switch {
	case chosen == nil:
		return nil, mismatch(routes, arguments)
	case other != nil:
		return nil, fmt.Errorf("%w: route %q with these arguments is both %q and %q: rename one of them", ErrNoMatch, name, chosen.Pattern, other.Pattern)
	}
	return chosen, nil
}

// takes reports whether the arguments are exactly those of the pattern.
func (p *Pattern) takes(arguments *Arguments, count int) bool {
	if len(arguments.Positional) > 0 {
		return count == len(p.params)
	}
	if count != p.distinct {
		return false
	}
	for _, param := range p.params {
		if !arguments.has(param) {
			return false
		}
	}
	return true
}

// AppendPath appends the path of the route to dst and returns the extended
// slice. The arguments are those that [Table.Find] found the route by.
//
// Values are escaped once, as segments (RFC 3986, section 3.3): what may stand
// there stays, except that "+" becomes "%2B", which also those read right who
// decode paths as forms. A value that is empty, ".", "..", or holds a slash
// cannot stand in a segment; a parameter for the rest of the path keeps its
// slashes, and its segments follow the same rule.
//
// Where the fixed text of the route must be escaped, the path has the escapes of
// [net/url.URL.EscapedPath] instead: "+" stays, and "!'()*" are escaped. Routers
// that compare a path as it was sent do so only when it has other escapes, in
// which they would not know their own text again.
//
// An argument that is missing, nil, of another type, or cannot stand in the
// path fails with [ErrNoMatch]; dst is then returned as it was.
func (r *Route) AppendPath(dst []byte, arguments *Arguments) ([]byte, error) {
	path, position := dst, 0
	for i := range r.Pattern.parts {
		p := &r.Pattern.parts[i]
		if !p.isParam {
			path = append(path, p.text...)
			continue
		}
		var err error
		value, named := arguments.Named[p.text]
		switch {
		case position < len(arguments.Positional):
			path, err = p.appendValue(path, arguments.Positional[position])
			position++
		case named:
			path, err = p.appendValue(path, value)
		case arguments.Default.isFor(p.text):
			path, err = p.appendText(path, arguments.Default.Value)
		default:
			return dst, mismatch([]*Route{r}, arguments)
		}
		if err != nil {
			return dst, fmt.Errorf("%w: route %q (%s), argument %q: %w", ErrNoMatch, r.Name, r.Pattern, p.text, err)
		}
	}
	return path, nil
}

// mismatch says what the routes of a name take, and what they were given.
func mismatch(routes []*Route, arguments *Arguments) error {
	takes := make([]string, len(routes))
	for i, r := range routes {
		takes[i] = "(" + strings.Join(r.Pattern.params, ", ") + ")"
	}
	given := fmt.Sprintf("%d by position", len(arguments.Positional))
	if len(arguments.Positional) == 0 {
		names := slices.Collect(maps.Keys(arguments.Named))
		if name := arguments.Default.Name; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		slices.Sort(names)
		given = "(" + strings.Join(names, ", ") + ")"
	}
	return fmt.Errorf("%w: route %q takes %s, not %s", ErrNoMatch, routes[0].Name, strings.Join(takes, " or "), given)
}

// appendValue appends an argument, escaped.
func (p *part) appendValue(dst []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case string:
		return p.appendText(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case encoding.TextMarshaler:
		if isNilPointer(v) {
			break
		}
		text, err := v.MarshalText()
		if err != nil {
			return dst, err
		}
		return p.appendText(dst, string(text))
	case fmt.Stringer:
		if isNilPointer(v) {
			break
		}
		return p.appendText(dst, v.String())
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.String:
		return p.appendText(dst, v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.AppendUint(dst, v.Uint(), 10), nil
	case reflect.Invalid, reflect.Pointer:
		if value == nil || v.IsNil() {
			return dst, errors.New("is nil")
		}
	}
	return dst, fmt.Errorf("has type %T: give text, an integer, an encoding.TextMarshaler or a fmt.Stringer", value)
}

func isNilPointer(value any) bool {
	v := reflect.ValueOf(value)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// appendText appends text that stands for one segment, or for the rest of the
// path.
func (p *part) appendText(dst []byte, text string) ([]byte, error) {
	if p.slash {
		if text == "/" {
			return dst, nil
		}
		text = strings.TrimPrefix(text, "/")
	}
	if err := p.fits(text); err != nil {
		return dst, err
	}
	return appendEscaped(dst, text, p.bytes, p.rest), nil
}

// fits returns an error for text that cannot stand in a path: clients resolve
// the segments "." and ".." away (RFC 3986, section 5.2.4), and routers cannot
// tell an empty segment from none. The end of a path may be a slash.
func (p *part) fits(text string) error {
	if !p.rest {
		if strings.IndexByte(text, '/') >= 0 {
			return fmt.Errorf("%q holds a slash, which ends a segment", text)
		}
		return fitsSegment(text)
	}
	for more := true; more; {
		var segment string
		segment, text, more = strings.Cut(text, "/")
		if err := fitsSegment(segment); err != nil {
			return err
		}
		more = more && (text != "" || !p.last)
	}
	return nil
}

func fitsSegment(segment string) error {
	switch segment {
	case "":
		return errors.New("an empty segment leads to another route")
	case ".", "..":
		return fmt.Errorf("clients resolve the segment %q away", segment)
	}
	return nil
}

// Bytes that stand for themselves in a segment.
var (
	segmentBytes = tableOf("-._~!$&'()*+,;=:@") // pchar of RFC 3986, section 3.3
	valueBytes   = tableOf("-._~!$&'()*,;=:@")  // a plus is a space to form decoders
	goBytes      = tableOf("-._~$&+,;=:@")      // those of [url.URL.EscapedPath]
)

// tableOf returns a table of ASCII letters, digits, and the given marks.
func tableOf(marks string) *[256]bool {
	const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	table := new([256]bool)
	for _, c := range []byte(alphanumeric + marks) {
		table[c] = true
	}
	return table
}

const upperHex = "0123456789ABCDEF"

// appendEscaped appends text, percent-encoded but for the given bytes and, in
// the rest of a path, slashes.
func appendEscaped(dst []byte, text string, plain *[256]bool, rest bool) []byte {
	for i := range len(text) {
		switch c := text[i]; {
		case plain[c], c == '/' && rest:
			dst = append(dst, c)
		default:
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return dst
}
