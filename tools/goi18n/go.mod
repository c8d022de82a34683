module github.com/goverso/verso/tools/goi18n

go 1.26.0

tool github.com/nicksnyder/go-i18n/v2/goi18n

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/nicksnyder/go-i18n/v2 v2.7.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/text v0.43.0 // indirect
)
