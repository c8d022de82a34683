package verso_test

import (
	"maps"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// The texts are the specification's, word for word.
func TestEnglishMessages(t *testing.T) {
	got := verso.EnglishMessages()
	for id, want := range map[verso.MessageID]string{
		source.InvalidAcceptHeaderVersion:   `Invalid version in "Accept" header.`,
		source.InvalidURLPathVersion:        "Invalid version in URL path.",
		source.InvalidNamespaceVersion:      "Invalid version in URL path. Does not match any version namespace.",
		source.InvalidHostNameVersion:       "Invalid version in hostname.",
		source.InvalidQueryParameterVersion: "Invalid version in query parameter.",
	} {
		if got[id] != want {
			t.Errorf("%s = %q, want %q", id, got[id], want)
		}
	}
	for id, text := range got {
		if id == "" || text == "" {
			t.Errorf("message %q is %q", id, text)
		}
	}
}

// Who changes the map changes nobody else's.
func TestEnglishMessagesAreCopied(t *testing.T) {
	before := maps.Clone(verso.EnglishMessages())
	clear(verso.EnglishMessages())
	if !maps.Equal(verso.EnglishMessages(), before) {
		t.Error("the messages are shared")
	}
}
