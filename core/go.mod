module github.com/goverso/verso/core

go 1.25.0
