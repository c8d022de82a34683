module github.com/goverso/verso/adapters/versoecho5

go 1.25.0

require (
	github.com/goverso/verso/conformance v0.1.0
	github.com/goverso/verso/core v0.1.0
	github.com/labstack/echo/v5 v5.3.1
	github.com/stretchr/testify v1.11.1
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace (
	github.com/goverso/verso/conformance => ../../conformance
	github.com/goverso/verso/core => ../../core
)
