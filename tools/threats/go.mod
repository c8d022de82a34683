module github.com/goverso/verso/tools/threats

go 1.26.0
