package twins

import verso "github.com/goverso/verso/core"

// Framework is the vocabulary of a framework.
type Framework struct {
	Ways     []Way
	Generate func(g *Gen) *Program

	// Fit removes the statements that a way does not have. Optional.
	Fit func(p *Program)

	// Build builds a program with the framework alone, or with Verso if api is not nil. It panics if
	// the whole is refused.
	Build func(p *Program, api *verso.Versioning, e *Env) Server

	Refused  []Refusal
	Mistakes []string // texts of panics, see [Mistakes]. Optional
	Allowed  []Allowance

	// ChecksAnswers is for adapters whose rejection replaces an answer of middleware of the route with a status 2xx.
	ChecksAnswers bool

	// MostAllowed is how many of 10,000 requests may have an allowed difference.
	MostAllowed float64
}

// Allowance is a difference that a page states.
type Allowance struct {
	Name string

	// Page is where Quote is: a file, and behind "#" a heading, or a declaration such as Routes.Mount.
	Page, Quote string

	Matches func(p *Program, r Request, bare, own Outcome, kind string) bool
}

// Refusal is a panic of Verso when a statement is registered, for a reason on a page.
type Refusal struct {
	Text        string // of the panic
	Page, Quote string
}
