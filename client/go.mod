module github.com/goverso/verso/client

go 1.25.0

require (
	github.com/goverso/verso/conformance v0.1.0
	github.com/goverso/verso/core v0.1.0
)

replace (
	github.com/goverso/verso/conformance => ../conformance
	github.com/goverso/verso/core => ../core
)
