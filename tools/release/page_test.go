package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestUpdatePage(t *testing.T) {
	const page = "before\n" + tableBegin + "old\n" + tableEnd + "\nafter\n"
	for _, test := range []struct {
		name, page, text string
		check            bool
		want, wantError  string
	}{
		{"stale", page, "new\n", false, "before\n" + tableBegin + "new\n" + tableEnd + "\nafter\n", ""},
		{"checked and stale", page, "new\n", true, page, "page.md is stale: run make page"},
		{"checked and fresh", page, "old\n", true, page, ""},
		{"without marks", "text\n", "new\n", false, "text\n", "page.md: no lines"},
		{"without an end", tableBegin, "new\n", false, tableBegin, "page.md: no lines"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := writeTree(t, map[string]string{"page.md": test.page})
			checkError(t, updatePage(root, "page.md", test.text, "make page", test.check), test.wantError)
			got, err := os.ReadFile(filepath.Join(root, "page.md"))
			if err != nil || string(got) != test.want {
				t.Errorf("page is %q, want %q (%v)", got, test.want, err)
			}
		})
	}
}
