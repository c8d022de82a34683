package migrate_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// Members keep their places, and what nobody knows is as it was.
func TestPlaces(t *testing.T) {
	type person struct {
		ID    json.Number `json:"id"`
		First string      `json:"first"`
		Last  string      `json:"last"`
		Mail  string      `json:"email"`
		New   int         `json:"new"`
	}
	h, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("All.", migrate.For[person](
		migrate.Split("name", "first", "last", splitSpace, joinSpace),
		migrate.Renamed("mail", "email"), migrate.Added("new", 7), migrate.Removed("fax", "none"),
		migrate.RemovedFrom("number", "id", func(n json.Number) (string, error) { return "#" + n.String(), nil }),
	))), migrate.Release("v1"))
	require.NoError(t, err)
	typ := reflect.TypeFor[[]person]()

	lowered, err := h.LowerJSON(verso.V("v1"), typ, []byte(`[ {"last":"L","x":{"first": 1e400},"id":-0,"first":"A","email":"\u00e9<","new":1,"y":"\/"} ]`+"\n"))
	require.NoError(t, err)
	assert.Equal(t, `[{"x":{"first": 1e400},"id":-0,"number":"#-0","name":"A L","mail":"\u00e9<","y":"\/","fax":"none"}]`+"\n", string(lowered))

	lifted, err := h.LiftJSON(verso.V("v1"), typ, []byte(`[{"number":"#1","mail":"m","name":"A L","z":1,"id":9007199254740993}]`))
	require.NoError(t, err)
	assert.Equal(t, `[{"email":"m","first":"A","last":"L","z":1,"id":9007199254740993,"new":7}]`, string(lifted))
}

func TestAValueThatAnEditNeedsIsBounded(t *testing.T) {
	h := users(t)
	long := `{"status":"` + strings.Repeat("x", 1<<20) + `"}`
	_, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[User](), []byte(long))
	require.ErrorContains(t, err, "migrate: User in v1: /status: a value that an edit needs has more than 1048576 bytes")
	_, err = h.LiftJSON(verso.V("v1"), reflect.TypeFor[User](), []byte(long))
	var refused *migrate.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, migrate.Error{Status: http.StatusRequestEntityTooLarge, Code: migrate.BodyTooLarge, Pointer: "/status", Err: refused.Err}, *refused)
	_, err = h.LowerStreamed(verso.V("v1"), reflect.TypeFor[User](), cut([]byte(long), 1000)...)
	require.ErrorContains(t, err, "more than 1048576 bytes")
}

func TestLowerAndLift(t *testing.T) {
	h := users(t)
	_, err := h.Lower(verso.V("v9"), User{})
	require.ErrorContains(t, err, `the history does not have version "v9"`)
	_, err = h.Lower(verso.V("v1"), func() {})
	require.ErrorContains(t, err, "unsupported type")
	raw, err := h.Lower(verso.V("v1"), nil)
	require.NoError(t, err)
	assert.Equal(t, "null", string(raw))
	raw, err = h.Lower(verso.Version{}, User{Email: "a"})
	require.NoError(t, err)
	assert.JSONEq(t, `{"id":0,"email":"a"}`, string(raw))
	raw, err = h.Lower(verso.V("v1"), &Users{Items: []User{{ID: 1, Email: "a", Status: "pending"}}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"items":[{"id":1,"mail":"a","status":"on"}]}`, string(raw))
	raw, err = h.Lower(verso.V("v1"), Failure{"gone"})
	require.NoError(t, err)
	assert.JSONEq(t, `{"error":"gone"}`, string(raw))

	user, err := migrate.Lift[User](h, verso.V("v1"), []byte(`{"mail":"a","status":"on"}`))
	require.NoError(t, err)
	assert.Equal(t, User{Email: "a", Status: "active", Plan: "free"}, user)
	_, err = migrate.Lift[User](h, verso.V("v1"), []byte(`{"id":"x"}`))
	require.ErrorContains(t, err, "cannot unmarshal string")
}
