package migrate_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// answered is what a client of v1 gets of a handler, over a connection. more returns what the route declares of
// a change in v2.
func answered(t *testing.T, more func(*migrate.Change) []migrate.Body, handler http.HandlerFunc) answer {
	t.Helper()
	change := migrate.Behaves("x")
	h, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", change, migrate.Changed("y", migrate.For[User](migrate.Renamed("mail", "email")))), migrate.Release("v1"))
	require.NoError(t, err)
	route := h.Route(append(more(change), migrate.Returns[User]())...)
	return ask(t, http.MethodGet, serve(t, rewritten(route, handler)).URL, "v1", "")
}

func sendUser(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"id":1,"email":"ab"}`)
}

func nothing(*migrate.Change) []migrate.Body { return nil }

func renamedTotal(c *migrate.Change) []migrate.Body {
	return []migrate.Body{c.ResponseHeader("X-Total", "X-Total-Count")}
}

// An informational response goes at once, and does not decide on the one that follows.
func TestEarlyHints(t *testing.T) {
	got := answered(t, nothing, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		sendUser(w)
	})
	assert.Equal(t, http.StatusCreated, got.StatusCode)
	assert.JSONEq(t, `{"id":1,"mail":"ab"}`, got.body)
}

// Some clients need a length: if the handler sets one, the older form has its own.
func TestTheLengthOfTheOlderForm(t *testing.T) {
	long := strings.Repeat("x", 8<<10) // net/http adds the length of a short response
	got := answered(t, nothing, func(w http.ResponseWriter, _ *http.Request) {
		body := `{"id":1,"email":"` + long + `"}`
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = io.WriteString(w, body)
	})
	assert.Equal(t, `{"id":1,"mail":"`+long+`"}`, got.body)
	assert.EqualValues(t, len(got.body), got.ContentLength)
}

// A client reads the field by its old name, of which a middleware may have set another line.
func TestTheOlderFieldHasOneMeaning(t *testing.T) {
	got := answered(t, renamedTotal, func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["X-Total"] = []string{"cached"}
		w.Header()["X-Total-Count"] = []string{"7", "8"}
		sendUser(w)
	})
	assert.Equal(t, []string{"7", "8"}, got.Header["X-Total"])
	assert.NotContains(t, got.Header, "X-Total-Count")
}

// A response without a body has no type of one.
func TestNoContentOfOlderVersions(t *testing.T) {
	got := answered(t, func(c *migrate.Change) []migrate.Body { return []migrate.Body{c.Status(204, 200)} }, func(w http.ResponseWriter, _ *http.Request) { sendUser(w) })
	assert.Equal(t, http.StatusNoContent, got.StatusCode)
	assert.NotContains(t, got.Header, "Content-Type")
	assert.Empty(t, got.body)
}

// What a change in no release declares would apply to nobody.
func TestAnswersOfAChangeInNoRelease(t *testing.T) {
	h, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2"), migrate.Release("v1"))
	require.NoError(t, err)
	lost := migrate.Behaves("x")
	for what, body := range map[string]migrate.Body{
		`status 201 was 200`: lost.Status(200, 201), `the header "X-New" was "X-Old"`: lost.ResponseHeader("X-Old", "X-New"), `the media type "a/b" was "a/c"`: lost.MediaType("a/c", "a/b"),
	} {
		assert.PanicsWithError(t, "migrate: "+what+`: the change "x" is in no release: give it to one`, func() { h.Route(body) })
	}
}

// fasthttp has one header for all, so what was changed for the handler is changed back.
func TestTagsOutsideOfABufferedHandler(t *testing.T) {
	request := &message{header: http.Header{"If-None-Match": {`"7;v1"`, `"8;v1"`}}}
	lower, err := userRoute(t).BeginBuffered(verso.V("v1"), http.MethodGet, request)
	require.NoError(t, err)
	assert.Equal(t, []string{`"7", "8"`}, request.header["If-None-Match"], "the handler compares with its own")
	require.NoError(t, lower(http.StatusOK, &message{header: http.Header{}}))
	assert.Equal(t, []string{`"7;v1", "8;v1"`}, request.header["If-None-Match"])
}

// The developer learns at start that errors are not declared, if a route declares other bodies.
func TestErrorsThatNoRouteDeclares(t *testing.T) {
	api := apiOf("v2", "v1")
	h, err := migrate.New(api, migrate.Release("v2", migrate.Changed("y", migrate.For[User](migrate.Renamed("mail", "email")))), migrate.Release("v1"))
	require.NoError(t, err)
	for _, test := range []struct {
		bodies []migrate.Body
		want   string
	}{
		{[]migrate.Body{migrate.Returns[User]()}, "fails_not_declared"},
		{[]migrate.Body{migrate.Accepts[User]()}, "fails_not_declared"},
		{[]migrate.Body{migrate.Event[User]("user")}, "fails_not_declared"},
		{[]migrate.Body{migrate.Returns[User](), migrate.Fails[Failure](verso.ProblemType)}, ""},
		{nil, ""},
	} {
		var got []string
		for _, f := range h.Route(test.bodies...).Review(api) {
			got = append(got, f.Code)
		}
		assert.Equal(t, test.want, strings.Join(got, " "))
	}
}
