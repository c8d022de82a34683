module github.com/goverso/verso/locales

go 1.26

require github.com/goverso/verso/core v0.1.0

replace github.com/goverso/verso/core => ../core
