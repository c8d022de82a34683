package verso_test

import (
	"encoding/json"
	"testing"

	verso "github.com/goverso/verso/core"
)

func TestDefaultEndText(t *testing.T) {
	for end, want := range map[verso.AfterDefaultSunset]string{0: `""`, verso.RejectUnversioned: `"end"`, verso.MoveUnversioned: `"move"`} {
		text, err := json.Marshal(end)
		if err != nil || string(text) != want {
			t.Errorf("%d is %s, %v, want %s", end, text, err, want)
		}
		read := verso.AfterDefaultSunset(9)
		if err := json.Unmarshal(text, &read); err != nil || read != end {
			t.Errorf("%s is read as %d, %v", text, read, err)
		}
	}
	if _, err := json.Marshal(verso.AfterDefaultSunset(3)); err == nil {
		t.Error("an unknown one has a text")
	}
}
