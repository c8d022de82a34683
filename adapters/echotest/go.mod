module github.com/goverso/verso/adapters/echotest

go 1.26.0

require (
	github.com/goverso/verso/adapters/versoecho v0.1.0
	github.com/goverso/verso/adapters/versoecho5 v0.1.0
	github.com/goverso/verso/conformance v0.1.0
	github.com/goverso/verso/core v0.1.0
	github.com/labstack/echo/v4 v4.12.0
	github.com/labstack/echo/v5 v5.3.1
	github.com/stretchr/testify v1.11.1
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/golang-jwt/jwt v3.2.2+incompatible // indirect
	github.com/labstack/gommon v0.4.2 // indirect
	github.com/mattn/go-colorable v0.1.13 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	github.com/valyala/fasttemplate v1.2.2 // indirect
	golang.org/x/crypto v0.54.0 // indirect
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.40.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace (
	github.com/goverso/verso/adapters/versoecho => ../versoecho
	github.com/goverso/verso/adapters/versoecho5 => ../versoecho5
	github.com/goverso/verso/conformance => ../../conformance
	github.com/goverso/verso/core => ../../core
)
