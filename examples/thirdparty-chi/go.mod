module example.com/verso-chi

go 1.26.0

require (
	github.com/go-chi/chi/v5 v5.5.0
	github.com/goverso/verso/conformance v0.1.0
	github.com/goverso/verso/core v0.1.0
)
