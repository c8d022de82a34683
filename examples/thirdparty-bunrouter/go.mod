module example.com/verso-bunrouter

go 1.26.0

require (
	github.com/goverso/verso/conformance v0.1.0
	github.com/goverso/verso/core v0.1.0
	github.com/uptrace/bunrouter v1.0.23
)
