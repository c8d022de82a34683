module github.com/goverso/verso/adapters/versohttp

go 1.25.0

require (
	github.com/goverso/verso/conformance v0.1.0
	github.com/goverso/verso/core v0.1.0
	github.com/stretchr/testify v1.12.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

replace (
	github.com/goverso/verso/conformance => ../../conformance
	github.com/goverso/verso/core => ../../core
)
