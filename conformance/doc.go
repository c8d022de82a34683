// Package conformance holds an adapter of Verso to the reference cases, whole HTTP
// requests and the answer that each must have, and to what the cases cannot say:
// that links lead where they should, that requests at once do not mix, that
// faults of an application stay where they are.
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
// includes. [Source] holds a source of one's own to its contract.
package conformance
