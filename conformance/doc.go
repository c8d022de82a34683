// Package conformance holds an adapter of Verso to the reference cases: whole
// HTTP requests, and the version or the refusal that each must have.
//
// An adapter's test mounts the suite's applications on its framework and runs
// them:
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, mount)
//	}
//
// The cases are the files in the folder cases. The environment variable
// VERSO_CASES names a folder with more files of that form, which every run then
// includes.
package conformance
