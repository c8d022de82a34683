module github.com/goverso/verso/usage/usagesql

go 1.25.0

require (
	github.com/goverso/verso/core v0.1.0
	github.com/goverso/verso/usage v0.1.0
)

replace (
	github.com/goverso/verso/core => ../../core
	github.com/goverso/verso/usage => ..
)
