package conformance

import (
	"errors"
	"fmt"
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
			r := parameter(place, name, value)
			answer, err := r.send(server.Address)
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
			wrong.unless(string(answer.body) == want,
				"the framework's binder reads %q in a parameter %q (%s), and the Binder of the adapter promises %q",
				answer.body, name, place, want)
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

// parameter returns a request of v2 with a parameter.
func parameter(place, name, value string) request {
	pair := url.Values{name: {value}}.Encode()
	r, contentType, parts := get("/form", ""), formType, new(strings.Builder)
	r.Headers["Api-Version"], r.Method, r.body = []string{"v2"}, http.MethodPost, pair
	switch place {
	case "query":
		r.Method, r.Target, r.body, contentType = http.MethodGet, "/query?"+pair, "", ""
	case "multipart":
		form := multipart.NewWriter(parts)
		_ = errors.Join(form.WriteField(name, value), form.Close()) // into memory
		contentType, r.body = form.FormDataContentType(), parts.String()
	case "header":
		r.Method, r.Target, r.body, contentType = http.MethodGet, "/header", "", ""
		r.Headers[name] = []string{value}
	}
	r.Headers["Content-Type"] = []string{contentType}
	return r
}
