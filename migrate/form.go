package migrate

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	urlencoded = "application/x-www-form-urlencoded"
	formData   = "multipart/form-data"
)

// isForm reports whether a body is a form. A route may take JSON as well, which then has a plan
// of its own.
func isForm(contentType string) bool {
	mediaType := mediaTypeOf(contentType)
	return mediaType == urlencoded || mediaType == formData
}

// body lifts the form of a request: what is urlencoded at once, of multipart each part while it
// is read.
func (p *params) body(r *http.Request) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	contentType := r.Header.Get("Content-Type")
	// A middleware may have parsed the older form, and the handler would read that.
	r.Form, r.PostForm, r.MultipartForm = nil, nil, nil
	// The length of a multipart form is unknown until its last part is rewritten, so the handler
	// sees none, rather than a wrong one.
	if mediaTypeOf(contentType) == formData {
		parts, err := p.parts(r.Body, contentType)
		if err != nil {
			return err
		}
		r.Body = struct {
			io.Reader
			io.Closer
		}{parts, r.Body}
		r.ContentLength = -1
		r.Header.Del("Content-Length")
		return nil
	}
	// A pair can depend on any other one, so all are held. Files do not come this way.
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxHeld+1))
	switch {
	case err != nil:
		return refusal(err)
	case len(raw) > maxHeld:
		return &Error{Status: http.StatusRequestEntityTooLarge, Code: BodyTooLarge}
	}
	lifted, err := p.pairs(string(raw))
	if err == nil {
		r.Body = io.NopCloser(strings.NewReader(lifted))
		r.ContentLength = int64(len(lifted))
		r.Header.Set("Content-Length", strconv.Itoa(len(lifted)))
	}
	return err
}

// lift lifts a form that is a buffer. It is for a framework that holds whole requests, where
// there is nothing to stream.
func (p *params) lift(raw []byte, contentType string) ([]byte, error) {
	if mediaTypeOf(contentType) != formData {
		lifted, err := p.pairs(string(raw))
		return []byte(lifted), err
	}
	parts, err := p.parts(bytes.NewReader(raw), contentType)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(parts)
}

// parts lifts the parts of a multipart form while they are read.
type parts struct {
	reading  reading
	in       *multipart.Reader
	boundary string
	out      bytes.Buffer // is read before the part
	part     io.Reader    // nil: the next one comes
	err      error
}

// parts returns the lifted form. Its boundary stays the same: the framework has perhaps parsed
// it already.
func (p *params) parts(in io.Reader, contentType string) (io.Reader, error) {
	_, options, err := mime.ParseMediaType(contentType)
	if err != nil || options["boundary"] == "" {
		return nil, &Error{Status: http.StatusBadRequest, Code: InvalidBody, Err: err}
	}
	return &parts{reading: reading{plan: p}, in: multipart.NewReader(in, options["boundary"]), boundary: options["boundary"]}, nil
}

// Read gives one part after the other. Files pass through it, and are not held.
func (f *parts) Read(b []byte) (int, error) {
	for {
		switch {
		case f.out.Len() > 0:
			return f.out.Read(b)
		case f.err != nil:
			return 0, f.err
		case f.part != nil:
			n, err := f.part.Read(b)
			if err == io.EOF {
				f.part, err = nil, nil
				f.out.WriteString("\r\n")
			}
			if n > 0 || err != nil {
				return n, err
			}
		default:
			f.err = f.next()
		}
	}
}

// next begins the next part.
func (f *parts) next() (err error) {
	defer recovered(&err)
	part, err := f.in.NextRawPart()
	switch {
	case err == io.EOF: //nolint:errorlint // as it is
		return f.end()
	case err != nil:
		return refusal(err)
	}
	name := part.FormName()
	m := f.reading.plan.by[name]
	switch {
	// Only newer versions have a member of this name, so an older client cannot mean it.
	case m == nil && f.reading.plan.reserved[fold(name)]:
		_, err = io.Copy(io.Discard, part)
		return err
	// A part streams through, whatever its size, if only its name changes: so does a file.
	case m == nil, m.to != "" && m.feeds == nil:
		f.head(part.Header, m)
		f.part = part
		return nil
	case m.feeds == nil:
		_, err = io.Copy(io.Discard, part)
		return err
	}
	// Only a field that an edit reads gets here: the rest has passed as it came.
	text, err := io.ReadAll(io.LimitReader(part, maxHeld+1))
	if err != nil || len(text) > maxHeld {
		return badParam(name, fmt.Errorf("a field that an edit needs has more than %d bytes", maxHeld))
	}
	if m.to != "" {
		f.head(part.Header, m)
		f.out.Write(text)
		f.out.WriteString("\r\n")
	}
	if err := f.reading.feed(m, string(text)); err != nil {
		return err
	}
	f.made()
	return nil
}

// end writes the members without a part, and the end of the form.
func (f *parts) end() error {
	if err := f.reading.rest(); err != nil {
		return err
	}
	f.made()
	fmt.Fprintf(&f.out, "--%s--\r\n", f.boundary)
	return io.EOF
}

// made writes the parts that edits made. They have no file name and no type, so a binder takes
// them for ordinary fields.
func (f *parts) made() {
	for _, made := range f.reading.take() {
		fmt.Fprintf(&f.out, "--%s\r\nContent-Disposition: form-data; name=%s\r\n\r\n%s\r\n", f.boundary, quotedName(made.name), made.text)
	}
}

// nameParam is the parameter of Content-Disposition with the name. It alone is replaced: the
// rest, such as the name of a file, may have a spelling that mime would write in another way.
var nameParam = regexp.MustCompile(`(?i)(;\s*name=)("(?:[^"\\]|\\.)*"|[^;\s]*)`)

// quotedName quotes a name as browsers do. A line break in it would begin another header field.
func quotedName(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "%0D", "\n", "%0A").Replace(name) + `"`
}

// head writes the header of a part. The header of a part is a map by now, so the order is made
// the same each time.
func (f *parts) head(h textproto.MIMEHeader, m *param) {
	fmt.Fprintf(&f.out, "--%s\r\n", f.boundary)
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			if name == "Content-Disposition" && m != nil {
				value = nameParam.ReplaceAllStringFunc(value, func(match string) string {
					return nameParam.FindStringSubmatch(match)[1] + quotedName(m.to)
				})
			}
			fmt.Fprintf(&f.out, "%s: %s\r\n", name, value)
		}
	}
	f.out.WriteString("\r\n")
}
