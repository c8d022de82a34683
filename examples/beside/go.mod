module github.com/goverso/verso/examples/beside

go 1.26.0

replace (
	github.com/goverso/verso/adapters/versohttp => ../../adapters/versohttp
	github.com/goverso/verso/conformance => ../../conformance
	github.com/goverso/verso/core => ../../core
)

require (
	connectrpc.com/connect v1.20.0
	github.com/goverso/verso/adapters/versohttp v0.1.0
	github.com/goverso/verso/core v0.1.0
	github.com/grpc-ecosystem/grpc-gateway/v2 v2.29.0
	github.com/stretchr/testify v1.12.1
	google.golang.org/grpc v1.84.0
	google.golang.org/protobuf v1.36.12
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.40.0 // indirect
	google.golang.org/genproto/googleapis/api v0.0.0-20260706201446-f0a921348800 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260706201446-f0a921348800 // indirect
)
