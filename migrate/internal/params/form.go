package params

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"regexp"
	"strings"

	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/refusal"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// Body lifts the form of a request: what is urlencoded at once, of multipart each part while it
// is read.
//
// A route that takes JSON too may have a handler that decodes it whatever the Content-Type is.
func (p *Plan) Body(r *http.Request, isEmpty, takesJSON bool) error {
	contentType := r.Header.Get("Content-Type")
	isMultipart := message.MediaType(contentType) == message.FormData
	switch {
	case isMultipart && isEmpty:
		return nil
	case r.Body == nil:
		r.Body = http.NoBody
	// A middleware has read the parts, which are in files now.
	case r.MultipartForm != nil && p.isForeign:
		lifted, err := p.Pairs(url.Values(r.MultipartForm.Value).Encode())
		if err != nil {
			return err
		}
		r.PostForm, _ = url.ParseQuery(lifted)
		r.MultipartForm.Value, r.Form = r.PostForm, nil
		return r.ParseForm()
	case r.MultipartForm != nil:
		return errors.New(
			"migrate: a middleware before the rewriting has parsed the multipart form: install it behind Rewrite, with AfterCheck")
	}
	// A middleware may have parsed the older form, and the handler would read that.
	parsed := r.PostForm
	r.Form, r.PostForm = nil, nil
	// The length of a multipart form is unknown until its last part is rewritten, so the handler
	// sees none, rather than a wrong one.
	if isMultipart {
		parts, err := p.parts(r.Body, contentType)
		if err != nil {
			return err
		}
		// A mistake in a small form is refused before the handler runs, as one in JSON.
		var begun bytes.Buffer
		body := &message.Pulled{Closer: r.Body, Next: parts.next}
		if _, err := io.CopyN(&begun, body, rewrite.MaxBuffered); err != nil && err != io.EOF { //nolint:errorlint // as it is
			encoding := r.Header.Get("Content-Encoding")
			if errors.Is(err, rewrite.ErrDropped) && !parts.hasPart && refusal.IsEncoded(encoding) { // a long one without a boundary
				return refusal.New(refusal.UnsupportedEncoding, err)
			}
			return refusal.Encoded(refusal.Of(err), encoding)
		}
		parts.limit = rewrite.MaxHeld
		body.Out = append(begun.Bytes(), body.Out...)
		r.Body = body
		r.ContentLength = -1
		r.Header.Del("Content-Length")
		return nil
	}
	// A pair can depend on any other one, so all are held. Files do not come this way.
	raw, err := io.ReadAll(io.LimitReader(r.Body, rewrite.MaxHeld+1))
	if len(parsed) > 0 {
		raw = []byte(parsed.Encode())
	}
	switch {
	case err != nil:
		return refusal.Of(err)
	case len(raw) > rewrite.MaxHeld:
		return refusal.New(refusal.BodyTooLarge, nil)
	case takesJSON && len(raw) > 0 && strings.IndexByte("{[", append(bytes.TrimSpace(raw), ' ')[0]) >= 0:
		return refusal.New(refusal.UnsupportedMediaType, nil)
	// A form is ASCII; what decompresses it behind the rewriting would find the older one.
	case refusal.IsEncoded(r.Header.Get("Content-Encoding")) &&
		bytes.ContainsFunc(raw, func(c rune) bool { return c < ' ' && c != '\r' && c != '\n' || c > '~' }):
		return refusal.New(refusal.UnsupportedEncoding,
			errors.New("the form is compressed"))
	}
	lifted, err := p.Pairs(string(raw))
	if err == nil {
		message.SetBody(r, []byte(lifted))
	}
	return err
}

// parts lifts the parts of a multipart form while they are read.
type parts struct {
	reading reading
	in      *multipart.Reader
	to      *multipart.Writer // writes to out
	out     bytes.Buffer      // what comes out next
	part    io.Reader         // nil: the next one comes
	hasPart bool              // one has come

	from  *metered
	gone  int64 // bytes that were read by the handler, or by an edit
	limit int64 // of bytes that are dropped
}

// metered counts what is read, and ends when too much is.
type metered struct {
	io.Reader
	read, limit int64
	failed      error // of Reader
}

func (m *metered) Read(p []byte) (int, error) {
	if m.read >= m.limit {
		return 0, rewrite.ErrDropped
	}
	n, err := m.Reader.Read(p)
	if m.read += int64(n); err != io.EOF {
		m.failed = err
	}
	return n, err
}

// parts returns the lifted form. Its boundary stays the same: the framework has perhaps parsed
// it already.
func (p *Plan) parts(in io.Reader, contentType string) (*parts, error) {
	_, options, err := mime.ParseMediaType(contentType)
	from := &metered{Reader: in}
	f := &parts{reading: reading{plan: p}, in: multipart.NewReader(from, options["boundary"]), from: from,
		limit: rewrite.MaxBuffered}
	f.to, f.reading.write = multipart.NewWriter(&f.out), f.made
	if err = cmp.Or(err, f.to.SetBoundary(options["boundary"])); err != nil {
		return nil, refusal.New(refusal.InvalidBody, err)
	}
	return f, nil
}

// next returns a piece of the part, and then what comes with the next one. Files pass, and are not
// held.
func (f *parts) next(n int) (out []byte, err error) {
	if f.out.Reset(); f.part == nil {
		err = f.nextPart()
	} else {
		f.out.Grow(min(n, 32<<10))
		f.from.limit = math.MaxInt64
		piece := f.out.AvailableBuffer()
		n, err = f.part.Read(piece[:cap(piece)])
		if f.out.Write(piece[:n]); errors.Is(err, io.EOF) {
			f.part, err = nil, nil
		}
	}
	f.gone += int64(f.out.Len())
	return f.out.Bytes(), err
}

// nextPart begins the next part. Writing to a buffer cannot fail.
func (f *parts) nextPart() (err error) {
	defer rewrite.Recovered(&err)
	f.from.limit = f.gone + f.limit + 8<<10 // what is read ahead
	part, err := f.in.NextRawPart()
	switch {
	case err == io.EOF: //nolint:errorlint // as it is
		if err := f.reading.rest(); err != nil {
			return err
		}
		_ = f.to.Close()
		return io.EOF
	case f.from.failed != nil:
		return refusal.Of(f.from.failed)
	case err != nil: // it cannot be parsed
		if err = refusal.Of(err); errors.As(err, new(*refusal.Refusal)) {
			return err
		}
		return refusal.New(refusal.InvalidBody, err)
	}
	f.hasPart = true
	m, err := f.reading.plan.lookup(part.FormName())
	switch {
	case err != nil:
		return err
	case m.keeps && m.to != m.Name && part.FileName() != "": // it is not a parameter
		m = unknown
		fallthrough
	// A part streams through, whatever its size, if only its name changes: so does a file.
	case m.Feeds == nil && m.keeps != m.isRenamed():
		f.begin(part.Header, m)
		f.part = part
		return f.reading.feed(m, "")
	// Only newer versions have a member of this name, or they have it no more.
	case m.Feeds == nil && !m.keeps:
		if _, err = io.Copy(io.Discard, part); err != nil {
			return refusal.Of(err)
		}
		return nil
	}
	// Only a field that an edit reads gets here: the rest has passed as it came.
	f.from.limit = math.MaxInt64
	text, err := io.ReadAll(io.LimitReader(part, rewrite.MaxHeld+1))
	f.gone += int64(len(text))
	if len(text) > rewrite.MaxHeld {
		err = rewrite.ErrHeld
	}
	if err != nil {
		return refusal.Of(err)
	}
	if m.keeps {
		f.begin(part.Header, unknown)
		f.out.Write(text)
	}
	if m.isRenamed() {
		f.begin(part.Header, m)
		f.out.Write(text)
	}
	return f.reading.feed(m, string(text))
}

// made writes a part that an edit made. It has no file name and no type, so a binder takes it for
// an ordinary field.
func (f *parts) made(name, text string) error {
	// An edit, such as one to lower case, could end the part with it.
	if strings.Contains("\n"+text, "\n--"+f.to.Boundary()) {
		return refusal.Parameter(name, errors.New("the value has the boundary in it"))
	}
	return f.to.WriteField(name, text)
}

// dispositionParam is a parameter of Content-Disposition. The name alone is replaced: the rest,
// such as the name of a file, may have a spelling that mime would write in another way.
var dispositionParam = regexp.MustCompile(`;\s*([^=;\s]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s]*)`)

// begin begins a part, under the name that its member has now.
func (f *parts) begin(h textproto.MIMEHeader, m *param) {
	if m.isRenamed() {
		renamed := `; name="` + quotes.Replace(m.to) + `"`
		h.Set("Content-Disposition", dispositionParam.ReplaceAllStringFunc(h.Get("Content-Disposition"),
			func(given string) string {
				// of several parts (RFC 2231)
				name, _, _ := strings.Cut(dispositionParam.FindStringSubmatch(given)[1], "*")
				if !strings.EqualFold(name, "name") {
					return given
				}
				defer func() { renamed = "" }()
				return renamed
			}))
	}
	_, _ = f.to.CreatePart(h)
}

// quotes escapes a name as browsers do. A line break in it would begin another header field.
var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "%0D", "\n", "%0A")
