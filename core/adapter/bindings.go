package adapter

import (
	"hash/maphash"
	"iter"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"weak"
)

// bindings are the routes of each [Binding] in the process, by the hash of its engine.
var bindings = struct {
	sync.Mutex
	of   map[uint64][]weak.Pointer[routes]
	seed maphash.Seed
}{of: make(map[uint64][]weak.Pointer[routes]), seed: maphash.MakeSeed()}

// listBinding makes bindingsBeside find rs for as long as it lives.
func listBinding(rs *routes) {
	engine := engineOf(rs)
	if engine == nil {
		return
	}
	bindings.Lock()
	defer bindings.Unlock()
	hash := maphash.Comparable(bindings.seed, engine)
	bindings.of[hash] = append(bindings.of[hash], weak.Make(rs))
	runtime.AddCleanup(rs, unlistBindings, hash)
}

// unlistBindings removes the bindings of the hash that live no more.
func unlistBindings(hash uint64) {
	bindings.Lock()
	defer bindings.Unlock()
	left := slices.DeleteFunc(bindings.of[hash], func(rs weak.Pointer[routes]) bool { return rs.Value() == nil })
	if bindings.of[hash] = left; len(left) == 0 {
		delete(bindings.of, hash)
	}
}

// bindingsBeside yields the routes that other bindings have with the same engine.
func bindingsBeside(rs *routes) iter.Seq[*routes] {
	return func(yield func(*routes) bool) {
		engine := engineOf(rs)
		if engine == nil {
			return
		}
		bindings.Lock()
		listed := slices.Clone(bindings.of[maphash.Comparable(bindings.seed, engine)])
		bindings.Unlock()
		for _, at := range listed {
			if other := at.Value(); other != nil && other != rs && engineOf(other) == engine && !yield(other) {
				return
			}
		}
	}
}

// engineOf returns what the adapter's New got, or nil, also for what Go cannot compare: a type around a router of chi.
func engineOf(rs *routes) any {
	if router, ok := rs.router.(interface{ Engine() any }); ok {
		if engine := router.Engine(); reflect.ValueOf(engine).Comparable() {
			return engine
		}
	}
	return nil
}
