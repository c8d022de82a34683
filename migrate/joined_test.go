package migrate_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// Contact has one name, of which older versions had two parts.
type Contact struct {
	Name string `json:"name"`
	Mail string `json:"mail"`
}

// ContactList are the parameters of a list.
type ContactList struct {
	Name string `query:"name"`
}

func contacts() *migrate.History {
	return verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("A contact has one name.",
		migrate.For[Contact](migrate.Joined("first", "last", "name", joinSpace, splitSpace)),
		migrate.For[ContactList](migrate.Joined("first", "last", "name", joinSpace, splitSpace)))), migrate.Release("v1")))
}

func ExampleJoined() {
	h, contact := contacts(), reflect.TypeFor[Contact]()
	lowered, err := h.LowerJSON(verso.V("v1"), contact, []byte(`{"name":"Ada Lovelace","mail":"a"}`))
	fmt.Println(string(lowered), err)
	lifted, err := h.LiftJSON(verso.V("v1"), contact, []byte(`{"mail":"a","last":"Lovelace","first":"Ada"}`))
	fmt.Println(string(lifted), err)
	// Output:
	// {"first":"Ada","last":"Lovelace","mail":"a"} <nil>
	// {"mail":"a","name":"Ada Lovelace"} <nil>
}

func TestJoined(t *testing.T) {
	h, contact := contacts(), reflect.TypeFor[Contact]()
	lower := func(raw []byte) ([]byte, error) { return h.LowerJSON(verso.V("v1"), contact, raw) }
	lift := func(raw []byte) ([]byte, error) { return h.LiftJSON(verso.V("v1"), contact, raw) }
	patch := func(raw []byte) ([]byte, error) { return h.LiftPartial(verso.V("v1"), contact, raw) }
	for _, test := range []struct {
		name    string
		rewrite func([]byte) ([]byte, error)
		body    string
		want    string // "": an error
	}{
		{"null", lower, `{"name":null}`, `{"first":null,"last":null}`},
		{"absent", lower, `{"mail":"a"}`, `{"mail":"a"}`},
		{"both null", lift, `{"first":null,"last":null}`, `{"name":null}`},
		{"one null", lift, `{"first":null,"last":"L"}`, `{"name":"L"}`},
		{"one absent", lift, `{"first":"A"}`, `{"name":"A"}`},
		{"none", lift, `{"name":"x","mail":"a"}`, `{"mail":"a"}`},
		{"a number", lift, `{"first":1,"last":"L"}`, ""},
		{"patch of both", patch, `{"last":"L","first":"A"}`, `{"name":"A L"}`},
		{"patch of none", patch, `{"mail":"a"}`, `{"mail":"a"}`},
		{"patch of one", patch, `{"last":"L"}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.rewrite([]byte(test.body))
			if test.want == "" {
				require.ErrorContains(t, err, "a value that this version does not have")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, string(got))
		})
	}

	route := h.Route(migrate.Query[ContactList]())
	r := httptest.NewRequest(http.MethodGet, "/contacts?first=Ada&last=L&page=2", nil)
	_, err := route.Begin(verso.V("v1"), httptest.NewRecorder(), r)
	require.NoError(t, err)
	assert.Equal(t, url.Values{"name": {"Ada L"}, "page": {"2"}}, r.URL.Query())
	assert.Equal(t, url.Values{"first": {"Ada"}, "last": {"L"}, "page": {"3"}}, route.LowerQuery(verso.V("v1"), url.Values{"name": {"Ada L"}, "page": {"3"}}))

	var changelog strings.Builder
	require.NoError(t, h.Changelog(nil).Markdown(&changelog))
	assert.Contains(t, changelog.String(), "- A contact has one name. **Breaking.**\n  - `Contact`: \"first\" and \"last\" are now \"name\".\n")

	_, err = migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("Wrong.", migrate.For[Contact](
		migrate.Joined("mail", "last", "name", joinSpace, splitSpace), migrate.Joined("a", "b", "phone", joinSpace, splitSpace)))), migrate.Release("v1"))
	require.ErrorContains(t, err, `there is a member "mail" already`)
	require.ErrorContains(t, err, `there is no member "phone"`)
}
