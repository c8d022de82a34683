package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// isc is the text of the ISC licence, one that is accepted and short.
const isc = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.
`

// agpl is the notice of a licence that is not accepted.
const agpl = `This program is free software: you can redistribute it and/or modify it under the terms of the GNU Affero General
Public License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later
version.

This program is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY; without even the implied warranty
of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU Affero General Public License for more details.

You should have received a copy of the GNU Affero General Public License along with this program. If not, see
<https://www.gnu.org/licenses/>.
`

func TestReadLicences(t *testing.T) {
	mit, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, want, wantError string
		files                 map[string]string
	}{
		{name: "one", want: "MIT", files: map[string]string{"LICENSE": string(mit)}},
		{name: "two in one file", want: "ISC MIT", files: map[string]string{"COPYING.md": string(mit) + "\n---\n" + isc}},
		{name: "one of a package", want: "ISC MIT", files: map[string]string{"LICENSE": string(mit), "used/LICENCE": isc}},
		{name: "one above a package", want: "ISC", files: map[string]string{"used/LICENSE.txt": isc, "used/deep/deep.go": ""}},
		{name: "one of a package that is not compiled", want: "MIT", files: map[string]string{"LICENSE": string(mit), "other/LICENSE": agpl}},
		{name: "source code about licences", want: "MIT", files: map[string]string{"LICENSE": string(mit), "license.go": "package licence\n"}},
		{name: "none", wantError: "no licence file", files: map[string]string{"README.md": string(mit)}},
		{name: "unknown", wantError: "known licence", files: map[string]string{"LICENSE": "You may look at it on Sundays, if you are tall.\n"}},
		{name: "not accepted", wantError: "the licence AGPL", files: map[string]string{"LICENSE": agpl}},
		{name: "not accepted in a package", wantError: "the licence AGPL", files: map[string]string{"LICENSE": string(mit), "used/LICENSE": agpl}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.files["used/deep/used.go"] = "package deep\n"
			dir := writeTree(t, test.files)
			got, err := readLicences(dir, []string{filepath.Join(dir, "used", "deep")})
			checkError(t, err, test.wantError)
			if want := strings.Fields(test.want); !slices.Equal(got, want) {
				t.Errorf("licences %q, want %q", got, want)
			}
		})
	}
}
