package document

import (
	"regexp"
	"strings"
)

// ofVersion matches the name of a version in a path.
var ofVersion = regexp.MustCompile(`^(v\d+[\w.-]*|\d+(\.\d+)+|\d{4}-\d{2}(-\d{2})?)$`)

// VersionSegment returns the segment with the version that most paths have, such as v3 in /api/v3/users,
// and its place among the segments. The segment is "" if there is none.
func (d *Document) VersionSegment() (segment string, place int) {
	paths := Obj(d.Root["paths"])
	for place := range 3 {
		count := map[string]int{}
		for _, path := range Names(paths) {
			all := strings.Split(strings.TrimPrefix(path, "/"), "/")
			if place < len(all) && ofVersion.MatchString(all[place]) {
				count[all[place]]++
			}
		}
		for text, n := range count {
			if 10*n >= 8*len(paths) {
				return text, place
			}
		}
	}
	return "", 0
}

// VersionParameter is the name of the path parameter for the version.
const VersionParameter = "{version}"

// Unversioned puts a parameter into the paths in place of a segment with the version.
func (d *Document) Unversioned(segment string, place int) {
	paths := Object{}
	for path, item := range Obj(d.Root["paths"]) {
		all := strings.Split(strings.TrimPrefix(path, "/"), "/")
		if place < len(all) && all[place] == segment {
			all[place] = VersionParameter
			path = "/" + strings.Join(all, "/")
		}
		paths[path] = item
	}
	d.Root["paths"] = paths
}
