package service

import "testing"

// BenchmarkService is for profiles: the figures of the page are those of
// cmd/bench.
func BenchmarkService(b *testing.B) {
	for _, f := range Frameworks {
		for _, s := range Schemes {
			for _, v := range []Variant{Store, Floor, Lean, Usual, Verso} {
				b.Run(f.Name+"/"+s.Name+"/"+string(v), func(b *testing.B) {
					serve := f.New(Options{Scheme: s, Variant: v}).Bind(s.Request("v2"))
					for b.Loop() {
						serve()
					}
				})
			}
		}
	}
}
