// Package bench holds the benchmarks of Verso, beside the frameworks' own floor,
// the same thing written by hand and other libraries, and the tests that bound
// what Verso allocates. Command bench runs the benchmarks and judges them.
package bench
