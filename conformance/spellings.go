package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	verso "github.com/goverso/verso/core"
)

// spelled has a parameter that only newer versions may have, and a list.
type spelled struct {
	Promoted
	Tags []string `query:"tags" form:"tags" header:"Tags" collection_format:"csv"`
}

// Promoted is exported, since binders fill no other.
type Promoted struct {
	Kinds string `query:"kinds" form:"kinds" header:"Kinds"`
}

// spellings are names under which a client may send the parameter kinds.
var spellings = []string{
	"kinds", "KINDS", "Kinds", "\u212aind\u017f", "kinds[]", "kinds[][]", "ki[]nds", "[]kinds",
	"KI[]NDS", "kinds[0]", "[kinds]", "ki[nds]",
	"kinds[[]]", "kinds[", "kinds]", "ki][nds", "kinds.", ".kinds", "kinds.0", "kinds ",
	"Promoted.kinds", "promoted[KINDS]", "other.kinds",
}

// binding keeps what an adapter declares of its framework's binder.
type binding struct {
	Shouting
	binder atomic.Pointer[verso.Binder]
}

// ForBinder implements [verso.BinderRewriter].
func (b *binding) ForBinder(of verso.Binder) verso.Rewriter {
	b.binder.Store(&of)
	return b
}

// reads reports whether the declared binder reads the parameter kinds under a name.
func reads(b *verso.Binder, place, name string) bool {
	if place == "header" { // whose names have no case
		return strings.EqualFold(name, "kinds") || b.Nested && strings.EqualFold(name, "Promoted.kinds")
	}
	if b.Name != nil {
		name = b.Name(name)
	}
	if path := "promoted."; b.Nested && strings.HasPrefix(strings.ToLower(name), path) {
		name = name[len(path):]
	}
	return name == "kinds" || b.IgnoresCase && strings.EqualFold(name, "kinds")
}

// checkSpellings checks that an adapter declares what its framework's binder reads: what it does not
// declare reaches the handler of a rewritten route as the client has sent it.
func checkSpellings(tb testing.TB, mount Mount) error {
	tb.Helper()
	rewriter := new(binding)
	var bound atomic.Bool
	of := func(method, place string) Route {
		return Route{Method: method, Pattern: "/" + place, Handle: func(call Call) Response {
			bind, ok := call.Bind[place]
			if !ok {
				return Response{}
			}
			bound.Store(true)
			var into spelled
			_ = bind(&into) // without it nothing is read
			return Response{Body: fmt.Sprintf("kinds %q, %d tags", into.Kinds, len(into.Tags))}
		}}
	}
	api := verso.MustNew(inHeader, serving("v1", "v2"))
	server := mount(tb, App{API: api, Routes: inGroup(&Group{Rewriter: rewriter},
		of(http.MethodGet, "query"), of(http.MethodPost, "form"), of(http.MethodGet, "header"))})
	var wrong complaints
	for _, place := range []string{"query", "urlencoded", "multipart", "header"} {
		names := spellings
		if place == "header" {
			names = []string{"kinds", "KINDS", "Promoted.Kinds", "other.kinds"}
		}
		for _, name := range append(slices.Clone(names), "tags") {
			value, want := "a", `kinds "", 0 tags`
			if name == "tags" {
				value = "a,b"
			}
			got, err := sendParameter(server.Address, place, name, value)
			binder := rewriter.binder.Load()
			switch {
			case err != nil || !bound.Load():
				wrong = append(wrong, err)
				continue
			case binder == nil:
				return errors.Join(errors.New("the rewriter of a route is not bound: call Bound of the Seam"), server.stop())
			case name == "tags" && separatorOf(binder) != "":
				want = `kinds "", 2 tags`
			case name == "tags":
				want = `kinds "", 1 tags`
			case reads(binder, place, name):
				want = `kinds "a", 0 tags`
			}
			wrong.unless(got == want,
				"the framework's binder reads %q in a parameter %q (%s), and the Binder of the adapter promises %q",
				got, name, place, want)
		}
	}
	return errors.Join(append(wrong, server.stop())...)
}

func separatorOf(b *verso.Binder) string {
	if b.Separator == nil {
		return ""
	}
	field, _ := reflect.TypeFor[spelled]().FieldByName("Tags")
	return b.Separator(field)
}

// sendParameter sends a request of v2 with a parameter, and returns the body of the response.
func sendParameter(address, place, name, value string) (string, error) {
	method, target, contentType, body := http.MethodGet, "/"+place, "", new(bytes.Buffer)
	pair := url.Values{name: {value}}.Encode()
	switch place {
	case "query":
		target += "?" + pair
	case "urlencoded":
		method, target, contentType = http.MethodPost, "/form", "application/x-www-form-urlencoded"
		body.WriteString(pair)
	case "multipart":
		parts := multipart.NewWriter(body)
		_ = errors.Join(parts.WriteField(name, value), parts.Close()) // into memory
		method, target, contentType = http.MethodPost, "/form", parts.FormDataContentType()
	}
	r, err := http.NewRequestWithContext(context.Background(), method, "http://"+address+target, body)
	if err != nil {
		return "", err
	}
	maps.Copy(r.Header, http.Header{"Api-Version": {"v2"}, "Content-Type": {contentType}})
	if place == "header" {
		r.Header[name] = []string{value}
	}
	_, text, err := sendHTTP(r)
	return text, err
}
