// Package refusal holds the tests and benchmarks of refusals that need a
// framework, a translator and other middleware at once.
package refusal
