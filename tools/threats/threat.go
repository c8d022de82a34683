package main

// threat is a row of the threat model.
type threat struct {
	sender      string // who sends what
	danger      string // what could go wrong
	answer      string // what Verso does
	protections []protection
}

// protection is a piece of code that answers a threat, and the test that fails
// without it.
type protection struct {
	file     string // in the repository
	old, new string // the code, which stands in the file once, and what is left when it is taken out
	folder   string // of the package with the test
	test     string // name of the test
}
