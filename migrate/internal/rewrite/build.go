package rewrite

import "github.com/goverso/verso/migrate/internal/jsontext"

// build returns a made value by the values of its sources.
func (o *output) build(p *Part, args []value, r *reads) (v value, err error) {
	orElse := rawValue(p.OrElse)
	switch {
	case p.Of == nil && p.Arg >= 0 && args[p.Arg].kind != 0:
		return args[p.Arg], nil
	case p.Of == nil:
		return orElse, nil
	case p.Keys != nil:
		v = value{kind: '{', entries: make([]entry, 0, len(p.Of))}
		for i, of := range p.Of {
			member, err := o.build(of, args, r)
			if err != nil {
				return v, err
			}
			if member.kind != 0 {
				v.entries = append(v.entries, entry{p.Keys[i], member})
			}
		}
		if len(v.entries) == 0 {
			return orElse, nil
		}
		return v, nil
	case p.Make != nil:
		return o.call(p, args, r)
	}
	if v, err = o.build(p.Of[0], args, r); err != nil || v.kind == 0 {
		return orElse, err
	}
	switch {
	case v.kind == 'n' && p.Null != nil:
		raw, err := p.Null()
		if err != nil {
			return value{}, &ValueError{Err: err}
		}
		return rawValue(raw), nil
	case p.Name == nil:
		return v, nil
	case v.kind == 'n':
		return value{}, nil
	}
	if v, err = o.memberOf(v, *p.Name, p.Folds); err != nil {
		err = &ValueError{Err: err}
	}
	return v, err
}

// call calls a function of a service.
func (o *output) call(p *Part, args []value, r *reads) (v value, err error) {
	values, some := make([][]byte, len(p.Of)), false
	for i, of := range p.Of {
		arg, err := o.build(of, args, r)
		if err != nil {
			return v, err
		}
		if arg.kind == 0 {
			continue
		}
		values[i], some = o.bytes(arg), true
		if err := r.add(len(values[i])); err != nil {
			return v, err
		}
	}
	if !some {
		return rawValue(p.OrElse), nil
	}
	raw, err := p.Make(values)
	if err != nil {
		return v, &ValueError{Err: err}
	}
	return rawValue(raw), nil
}

func rawValue(raw []byte) (v value) {
	if raw != nil {
		v = value{kind: raw[0], raw: raw}
	}
	return v
}

// memberOf returns a member of an object.
func (o *output) memberOf(v value, name string, folds bool) (member value, err error) {
	if v.kind != '{' || v.entries == nil {
		raw, err := jsontext.Member(o.bytes(v), name, folds)
		return rawValue(raw), err
	}
	for _, e := range v.entries {
		if !jsontext.IsName(e.key[:len(e.key)-1], name, folds) {
			continue
		}
		if member.kind != 0 {
			return member, jsontext.ErrTwice
		}
		if member = e.value; !folds {
			break
		}
	}
	return member, nil
}
