package exchange

import (
	"bytes"
	"io"
	"net/url"
	"strings"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// rewriter returns a rewriter of a response, of several values if its media type has them.
func (e *Edition) rewriter(plan *rewrite.Node, contentType string, in io.Reader) *rewrite.Rewriter {
	r, mediaType := rewrite.New(plan, in, e.mode()), message.MediaType(contentType)
	r.Lines, r.Records = message.IsLines(mediaType) || e.bodies.Is[declared.LinesOf(mediaType)],
		message.IsRecords(mediaType)
	if body, ok := in.(*bytes.Buffer); ok && r.Records {
		rewrite.Unseparate(body.Bytes())
	}
	return r
}

// tagRequest takes the mark of the version from the entity tags of a request, so that
// the handler can compare them with its own (RFC 9110, section 8.8.3). Tags without it
// are those of other versions: they match none. Ranges are those of another body.
//
// What was changed is returned as it was.
func (e *Edition) tagRequest(f message.Fields) (sent map[string]string) {
	if !e.lowers {
		return nil
	}
	for _, name := range conditions {
		tags := message.Value(f, name)
		if tags == "" {
			continue
		}
		if sent == nil {
			sent = map[string]string{}
		}
		if sent[name] = tags; name == "Range" || name == "If-Range" {
			f.Del(name)
			continue
		}
		// It asks for any representation, and needs no mark (RFC 9110, section 13.1).
		if strings.TrimSpace(tags) == "*" {
			continue
		}
		// A tag of another version must match nothing, also not by accident: the handler never
		// gives a tag with a semicolon at its end. What is in a tag, such as a comma, stays.
		parts := strings.Split(tags, `"`)
		for i := 1; i < len(parts)-1; i += 2 {
			if own, ok := strings.CutSuffix(parts[i]+`"`, e.mark()); ok {
				parts[i] = own
			} else {
				parts[i] += ";"
			}
		}
		if len(f.Lines(name)) > 1 { // fasthttp sets the first only
			f.Del(name)
		}
		f.Set(name, strings.Join(parts, `"`))
	}
	return sent
}

// conditions are the fields of a request that name a representation. They compare with a tag
// that the client got, which has the mark of its version.
var conditions = []string{"If-None-Match", "If-Match", "Range", "If-Range"}

// tagResponse marks the entity tag of a response with the version.
func (e *Edition) tagResponse(f message.Fields) {
	if !e.lowers {
		return
	}
	// A response can pass here twice, and gets one mark.
	if tag, ok := strings.CutSuffix(message.Value(f, "Etag"), `"`); ok && !strings.HasSuffix(tag+`"`, e.mark()) {
		f.Set("Etag", tag+e.mark())
	}
}

// mark is the end of an entity tag of the version. Representations that differ must have tags
// that differ, also weak ones, or a cache gives one version the body of another.
func (e *Edition) mark() string { return ";" + url.PathEscape(e.name) + `"` }
