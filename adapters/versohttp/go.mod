module github.com/goverso/verso/adapters/versohttp

go 1.25.0

require (
	github.com/goverso/verso/conformance v0.1.0
	github.com/goverso/verso/core v0.1.0
	github.com/stretchr/testify v1.8.4
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace (
	github.com/goverso/verso/conformance => ../../conformance
	github.com/goverso/verso/core => ../../core
)
