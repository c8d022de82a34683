module github.com/goverso/verso/core

go 1.26.0
