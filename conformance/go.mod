module github.com/goverso/verso/conformance

go 1.25.0

require github.com/goverso/verso/core v0.1.0

replace github.com/goverso/verso/core => ../core
