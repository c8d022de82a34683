package verso_test

import (
	"testing"

	verso "github.com/goverso/verso/core"
)

func TestStrict(t *testing.T) {
	got := verso.Strict()
	if !got.RefuseUnversioned || !got.RefuseContradictions || !got.RefuseEmpty || got.AllowedHosts != nil {
		t.Errorf("Strict() = %+v", got)
	}
}
