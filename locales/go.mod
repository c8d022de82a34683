module github.com/goverso/verso/locales

go 1.25.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/goverso/verso/core v0.1.0
	github.com/nicksnyder/go-i18n/v2 v2.6.1
	github.com/stretchr/testify v1.8.4
	golang.org/x/text v0.32.0
)

require go.yaml.in/yaml/v3 v3.0.5

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace github.com/goverso/verso/core => ../core
