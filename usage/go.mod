module github.com/goverso/verso/usage

go 1.25.0

require (
	github.com/goverso/verso/core v0.1.0
	github.com/stretchr/testify v1.12.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

replace github.com/goverso/verso/core => ../core
