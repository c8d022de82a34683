module github.com/goverso/verso/locales

go 1.25.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/goverso/verso/core v0.1.0
	github.com/nicksnyder/go-i18n/v2 v2.6.1
	github.com/stretchr/testify v1.12.1
	golang.org/x/text v0.32.0
)

require go.yaml.in/yaml/v3 v3.0.5

replace github.com/goverso/verso/core => ../core
