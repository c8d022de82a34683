module github.com/goverso/verso/migrate

go 1.25.0

require (
	github.com/go-json-experiment/json v0.0.0-20251027170946-4849db3c2f7e
	github.com/goverso/verso/core v0.1.0
)

require github.com/stretchr/testify v1.12.1

require go.yaml.in/yaml/v3 v3.0.5 // indirect

replace github.com/goverso/verso/core => ../core
