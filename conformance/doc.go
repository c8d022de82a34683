// Package conformance tests an adapter of Verso. It runs the reference cases, which
// are whole HTTP requests with their answers, and checks what cases cannot express:
// that links lead to the right routes, that concurrent requests do not affect each
// other, and that faults of an application have no further effects.
//
// An adapter's test mounts the suite's applications on its framework and runs
// them:
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, mount)
//	}
//
// The cases are the files in the folder cases. The environment variable VERSO_CASES names a
// folder with more such files, which every run then includes. The folder requests has what
// the applications of other groups must answer. [Source] tests a custom source.
package conformance
