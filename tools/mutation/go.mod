module github.com/goverso/verso/tools/mutation

go 1.26.0
