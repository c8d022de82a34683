module example.com/verso-gorilla

go 1.26.0

require (
	github.com/gorilla/mux v1.8.1
	github.com/goverso/verso/conformance v0.1.0
	github.com/goverso/verso/core v0.1.0
)
