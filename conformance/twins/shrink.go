package twins

import "slices"

// shrink deletes parts of a program, as long as a difference stays.
func (c *comparison) shrink(p *Program, still func(p *Program) bool) *Program {
	for changed := true; changed; {
		changed = false
		for _, smaller := range smallers(p) {
			if still(smaller) {
				p, changed = smaller, true
				break
			}
		}
	}
	return p
}

func clone(p *Program) *Program {
	var statements func([]*Statement) []*Statement
	statements = func(body []*Statement) (copies []*Statement) {
		for _, s := range body {
			copied := *s
			copied.Wares, copied.Methods, copied.Body = slices.Clone(s.Wares), slices.Clone(s.Methods), statements(s.Body)
			copies = append(copies, &copied)
		}
		return copies
	}
	return &Program{p.Way, slices.Clone(p.Flags), slices.Clone(p.Wares), slices.Clone(p.After), slices.Clone(p.Each),
		statements(p.Body)}
}

// edited returns a program whose i-th statement is replaced.
func edited(p *Program, i int, change func(s *Statement) []*Statement) *Program {
	copied, at := clone(p), 0
	var walk func([]*Statement) []*Statement
	walk = func(body []*Statement) (kept []*Statement) {
		for _, s := range body {
			here := at
			at++
			s.Body = walk(s.Body)
			if here == i {
				kept = append(kept, change(s)...)
			} else {
				kept = append(kept, s)
			}
		}
		return kept
	}
	copied.Body = walk(copied.Body)
	return copied
}

// smallers returns programs with one part less.
func smallers(p *Program) (programs []*Program) {
	total := 0
	all(p.Body, nil, func(*Statement, []*Statement) { total++ })
	for i := range total {
		programs = append(programs, edited(p, i, func(*Statement) []*Statement { return nil }))
	}
	for i := range p.Wares {
		copied := clone(p)
		copied.Wares = slices.Delete(copied.Wares, i, i+1)
		programs = append(programs, copied)
	}
	for i := range p.After {
		copied := clone(p)
		copied.After = slices.Delete(copied.After, i, i+1)
		programs = append(programs, copied)
	}
	for i := range p.Each {
		copied := clone(p)
		copied.Each = slices.Delete(copied.Each, i, i+1)
		programs = append(programs, copied)
	}
	for i := range p.Flags {
		copied := clone(p)
		copied.Flags = slices.Delete(copied.Flags, i, i+1)
		programs = append(programs, copied)
	}
	for i := range total {
		var at *Statement
		edited(p, i, func(s *Statement) []*Statement { at = s; return []*Statement{s} })
		for _, change := range simpler(at) {
			programs = append(programs, edited(p, i, change))
		}
	}
	return programs
}

// simpler returns what makes a statement simpler.
func simpler(s *Statement) (changes []func(s *Statement) []*Statement) {
	change := func(do func(s *Statement)) {
		changes = append(changes, func(s *Statement) []*Statement { do(s); return []*Statement{s} })
	}
	for i := range s.Wares {
		change(func(s *Statement) { s.Wares = slices.Delete(s.Wares, i, i+1) })
	}
	for i := range s.Methods[:max(len(s.Methods), 1)-1] {
		change(func(s *Statement) { s.Methods = slices.Delete(s.Methods, i, i+1) })
	}
	if len(s.Body) > 0 {
		changes = append(changes, func(s *Statement) []*Statement { return s.Body })
	}
	if s.By != ByVerso {
		change(func(s *Statement) { s.By = ByVerso })
	}
	if s.Only != "" && s.Only != Both {
		change(func(s *Statement) { s.Only = "" })
	}
	return changes
}
