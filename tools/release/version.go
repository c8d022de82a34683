package main

import (
	"fmt"
	"path"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// firstVersion is the version to release when there are no tags.
const firstVersion = "v0.1.0"

// nextVersion returns the version after the last of the tags: the next patch,
// or the release that a pre-release comes before. A tag is a folder and a
// version, "core/v0.1.0"; all others are ignored.
func nextVersion(tags []string) string {
	last := lastVersion(tags)
	switch {
	case last == "":
		return firstVersion
	case semver.Prerelease(last) != "":
		return last[:len(last)-len(semver.Prerelease(last))]
	}
	var major, minor, patch int
	if _, err := fmt.Sscanf(last, "v%d.%d.%d", &major, &minor, &patch); err != nil {
		return firstVersion
	}
	return fmt.Sprintf("v%d.%d.%d", major, minor, patch+1)
}

// lastVersion returns the highest version among the tags, "" for none.
func lastVersion(tags []string) string {
	last := ""
	for _, tag := range tags {
		folder, version := path.Split(tag)
		if folder != "" && semver.Canonical(version) == version && semver.Compare(version, last) > 0 {
			last = version
		}
	}
	return last
}

// checkVersion returns an error for text that cannot be the version of a
// release.
func checkVersion(version string) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version || module.IsPseudoVersion(version) {
		return fmt.Errorf("%q is no version to release: write it like v0.1.0", version)
	}
	if semver.Major(version) != "v0" && semver.Major(version) != "v1" {
		return fmt.Errorf("from v2 on the version stands in the module paths: rename the modules before releasing %s", version)
	}
	return nil
}
