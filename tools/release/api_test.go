package main

import "testing"

func TestLastTag(t *testing.T) {
	gin := &workspaceModule{folder: "adapters/versogin"}
	tags := []string{"core/v0.3.0", "adapters/versogin/v0.1.9", "adapters/versogin/v0.1.10", "adapters/versogin/old/v9.0.0"}
	if got := lastTag(tags, gin); got != "adapters/versogin/v0.1.10" {
		t.Errorf("got %q", got)
	}
	if got := lastTag(tags, &workspaceModule{folder: "locales"}); got != "" {
		t.Errorf("got %q for a module without tags", got)
	}
}
