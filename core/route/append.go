package route

import (
	"encoding"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
)

// AppendPath appends the path of the route to dst and returns the extended
// slice. The parameters are those that [Table.Find] found the route by.
//
// Values are escaped once, as segments (RFC 3986, section 3.3). Bytes that a
// segment may have stay, except that "+" becomes "%2B", for servers that decode
// paths like forms. A value must not be empty, ".", or "..", or contain a slash, and
// must match the expression of its parameter, if there is one. A parameter for the
// rest of the path keeps its slashes, and each of its segments follows the same rule.
//
// If the fixed text of the route must be escaped, the path has the escapes of
// [net/url.URL.EscapedPath] instead: "+" stays, and "!'()*" are escaped. Some
// routers match the raw path if its escapes differ from these, and would then not
// recognise the fixed text.
//
// A parameter that is missing, nil, of another type, or has a value that the path
// cannot contain fails with [ErrNoMatch]; a pattern that is not understood fails
// with [ErrPattern]. AppendPath then returns dst unchanged.
func (r *Route) AppendPath(dst []byte, params *Params) ([]byte, error) {
	if r.Pattern.isUnread() {
		return dst, r.errPattern()
	}
	if params == nil {
		params = &noParams
	}
	path, position := dst, 0
	for i := range r.Pattern.parts {
		p := &r.Pattern.parts[i]
		if !p.isParam() {
			path = append(path, p.text...)
			continue
		}
		var err error
		start := len(path)
		value, named := params.Named[p.text]
		switch {
		case position < len(params.Positional):
			path, err = p.appendValue(path, params.Positional[position], r.Pattern.plain)
			position++
		case named:
			path, err = p.appendValue(path, value, r.Pattern.plain)
		case params.Default.isFor(p.text):
			path, err = p.appendText(path, params.Default.Value, r.Pattern.plain)
		default:
			return dst, mismatch([]*Route{r}, params)
		}
		if err == nil && p.ended {
			err = r.Pattern.ends(i, path[start:])
		}
		if err == nil {
			err = p.matches(path[start:])
		}
		if err != nil {
			return dst, fmt.Errorf("%w: route %q (%s), path parameter %q: %w", ErrNoMatch, r.Name, r.Pattern, p.text,
				err)
		}
	}
	return path, nil
}

// AppendPathFunc is [Route.AppendPath] with texts that value returns for each parameter of
// the path, by its position and name. Only the path is allocated. ok is false, and dst is
// unchanged, where AppendPath fails, and where value returns false.
func (r *Route) AppendPathFunc(
	dst []byte, value func(position int, name string) (text string, ok bool),
) (path []byte, ok bool) {
	if r.Pattern.isUnread() {
		return dst, false
	}
	path, position := dst, 0
	for i := range r.Pattern.parts {
		p := &r.Pattern.parts[i]
		if !p.isParam() {
			path = append(path, p.text...)
			continue
		}
		text, ok := value(position, p.text)
		if !ok {
			return dst, false
		}
		var err error
		start := len(path)
		path, err = p.appendText(path, text, r.Pattern.plain)
		if err != nil || p.ended && r.Pattern.ends(i, path[start:]) != nil || p.matches(path[start:]) != nil {
			return dst, false
		}
		position++
	}
	return path, true
}

// appendValue appends the value of a parameter, and escapes all but plain bytes.
func (p *Part) appendValue(dst []byte, value any, plain *byteSet) ([]byte, error) {
	switch v := value.(type) {
	case string:
		return p.appendText(dst, v, plain)
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	}
	reflected := reflect.ValueOf(value)
	if value == nil || reflected.Kind() == reflect.Pointer && reflected.IsNil() {
		return dst, errors.New("is nil")
	}
	switch v := value.(type) {
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		if err != nil {
			return dst, err
		}
		return p.appendText(dst, string(text), plain)
	case fmt.Stringer:
		return p.appendText(dst, v.String(), plain)
	}
	switch reflected.Kind() {
	case reflect.String:
		return p.appendText(dst, reflected.String(), plain)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, reflected.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.AppendUint(dst, reflected.Uint(), 10), nil
	}
	return dst, fmt.Errorf("has type %T: give a string, an integer, an encoding.TextMarshaler or a fmt.Stringer", value)
}

// appendText appends the text of one segment, or of the rest of the path.
func (p *Part) appendText(dst []byte, text string, plain *byteSet) ([]byte, error) {
	if p.slash {
		if text == "/" {
			return dst, nil
		}
		text = strings.TrimPrefix(text, "/")
	}
	if isPlain(text, plain) {
		return append(dst, text...), nil
	}
	if err := p.fits(text); err != nil {
		return dst, err
	}
	return appendEscaped(dst, text, plain, p.kind == rest), nil
}

// ends returns an error for an escaped value of the part i in which a router would end the parameter.
func (p *Pattern) ends(i int, value []byte) error {
	until := p.until(i)
	for i := range value {
		n := min(len(value)-i, len(until)) // of the text, in the value; its rest comes behind
		if string(value[i:i+n]) == until[:n] && strings.HasPrefix(until, until[n:]) {
			return fmt.Errorf("%q is followed by %q in the path, which would end the parameter too early",
				string(value), until)
		}
	}
	return nil
}

// matches returns an error for an escaped value that the expression of the parameter does not match.
func (p *Part) matches(value []byte) error {
	if p.expression == nil {
		return nil
	}
	if text, err := url.PathUnescape(string(value)); err != nil || !p.expression.MatchString(text) {
		return fmt.Errorf("%q does not match the expression of the pattern", text)
	}
	return nil
}

// isPlain reports whether text is one segment, as usual, that any path can contain and that
// has nothing to escape.
func isPlain(text string, plain *byteSet) bool {
	if text == "" || text[0] == '.' {
		return false
	}
	for i := range len(text) {
		if !plain[text[i]] {
			return false
		}
	}
	return true
}

// fits returns an error for text that a path cannot contain. Clients remove the segments
// "." and ".." (RFC 3986, section 5.2.4), and routers cannot distinguish an empty segment
// from a missing one. A path may end in a slash.
func (p *Part) fits(text string) error {
	if p.kind != rest && strings.Contains(text, "/") {
		return fmt.Errorf("%q contains a slash, which ends a segment", text)
	}
	if p.last {
		text = strings.TrimSuffix(text, "/")
	}
	for segment := range strings.SplitSeq(text, "/") {
		switch segment {
		case "":
			return errors.New("an empty segment leads to another route")
		case ".", "..":
			return fmt.Errorf("clients remove the segment %q", segment)
		}
	}
	return nil
}
