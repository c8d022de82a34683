package catalogue

import "strconv"

// dates are a deprecation and a sunset, [never] where there is none.
type dates struct {
	deprecated, sunset int64
}

// join returns the earlier of each.
func (d dates) join(other dates) dates {
	return dates{min(d.deprecated, other.deprecated), min(d.sunset, other.sunset)}
}

func (d dates) none() bool {
	return d.deprecated == never && d.sunset == never
}

// contradict reports whether the sunset is before the deprecation.
func (d dates) contradict() bool {
	return d.deprecated != never && d.sunset < d.deprecated
}

// lifecycle is the dates and links of a version or a route, with their fields.
type lifecycle struct {
	dates  dates
	links  []string
	fields []Field
	sunset string
}

func (l lifecycle) isZero() bool {
	return l.dates.none() && len(l.links) == 0
}

// ready returns l with its fields.
func (l lifecycle) ready() lifecycle {
	if l.dates.deprecated != never {
		l.fields = append(l.fields, newField(DeprecationField, "@"+strconv.FormatInt(l.dates.deprecated, 10)))
	}
	if l.dates.sunset != never {
		l.fields = append(l.fields, newField(SunsetField, timeOf(l.dates.sunset).Format(imfFixdate)))
		l.sunset = dateText(l.dates.sunset)
	}
	if len(l.links) > 0 {
		l.fields = append(l.fields, newField(LinkField, l.links...))
	}
	return l
}
