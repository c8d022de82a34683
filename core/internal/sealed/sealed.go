// Package sealed prevents other modules from giving a route what only package adapter can read.
package sealed

// Plan is the prepared options of a route. Only core can implement it, since no other module
// can name a Seal.
type Plan interface{ Sealed(Seal) }

// Seal is the parameter of the method of [Plan].
type Seal struct{}
