package api_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/api"
)

// callIn returns a call in a version whose links are the names of their targets.
func callIn(version string) api.Call {
	return api.Call{
		Version: verso.V(version),
		Reverse: func(target verso.Target) (string, error) { return target.Name, nil },
	}
}

func TestEmailSinceV2(t *testing.T) {
	service := api.New(nil)

	first, err := service.User(callIn("v1"), "1")
	require.NoError(t, err)
	assert.Empty(t, first.Email)

	second, err := service.User(callIn("v2"), "1")
	require.NoError(t, err)
	assert.Equal(t, "ada@example.com", second.Email)
}

func TestPages(t *testing.T) {
	service := api.New(nil)
	tests := []struct {
		number     string
		ids        []int
		prev, next bool
	}{
		{"", []int{1, 2}, false, true},
		{"1", []int{1, 2}, false, true},
		{"2", []int{3, 4}, true, true},
		{"3", []int{5}, true, false},
	}
	for _, test := range tests {
		t.Run("page "+test.number, func(t *testing.T) {
			page, err := service.Users(callIn("v1"), test.number)
			require.NoError(t, err)
			var ids []int
			for _, user := range page.Items {
				ids = append(ids, user.ID)
			}
			assert.Equal(t, test.ids, ids)
			assert.Equal(t, test.prev, page.Prev != "")
			assert.Equal(t, test.next, page.Next != "")
		})
	}
}

func TestNoOrdersIsAnEmptyPage(t *testing.T) {
	page, err := api.New(nil).Orders(callIn("v1"), "5", "")
	require.NoError(t, err)
	assert.Equal(t, []api.Order{}, page.Items)
	assert.Empty(t, page.Next)
}

func TestNotFound(t *testing.T) {
	service := api.New(nil)
	call := callIn("v1")
	tests := []struct {
		name string
		ask  func() error
	}{
		{"user", func() error { _, err := service.User(call, "6"); return err }},
		{"user id is no number", func() error { _, err := service.User(call, "ada"); return err }},
		{"order", func() error { _, err := service.Order(call, "1"); return err }},
		{"orders of no user", func() error { _, err := service.Orders(call, "6", ""); return err }},
		{"page after the last", func() error { _, err := service.Users(call, "4"); return err }},
		{"page zero", func() error { _, err := service.Users(call, "0"); return err }},
		{"page is no number", func() error { _, err := service.Users(call, "first"); return err }},
		{"page beyond all bounds", func() error { _, err := service.Users(call, "9223372036854775807"); return err }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.ask()
			require.ErrorIs(t, err, api.ErrNotFound)
			assert.Equal(t, http.StatusNotFound, api.ProblemOf(err).Status)
		})
	}
}

func TestLinkThatCannotBeBuilt(t *testing.T) {
	failure := errors.New("no origin")
	call := callIn("v1")
	call.Reverse = func(verso.Target) (string, error) { return "", failure }

	_, err := api.New([]string{"v1", "v2"}).Users(call, "")
	require.ErrorIs(t, err, failure)
	assert.Equal(t, http.StatusInternalServerError, api.ProblemOf(err).Status)
}

func TestLinksToOtherVersions(t *testing.T) {
	service := api.New([]string{"v1", "v2", "v3"})
	call := callIn("v1")
	call.Reverse = func(target verso.Target) (string, error) {
		switch target.Version {
		case verso.V("v3"):
			return "", verso.ErrNoReverseMatch
		default:
			return "in " + target.Version.String(), nil
		}
	}

	user, err := service.User(call, "1")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"v2": "in v2"}, user.OtherVersions)
}
