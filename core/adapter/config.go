package adapter

import "fmt"

// NewConfig returns the Config that an adapter's New is given, the zero Config without one. It panics,
// naming the adapter and its router, if New lacks the router or the versioning, or gets several Configs.
func NewConfig[C any](adapter, router string, lacks bool, given []C) (config C) {
	switch {
	case lacks:
		panic(fmt.Errorf("%s: the %s or the versioning is nil: check the error of verso.New", adapter, router))
	case len(given) > 1:
		panic(fmt.Errorf("%s: New takes one Config: join those that it is given", adapter))
	case len(given) == 1:
		config = given[0]
	}
	return config
}
