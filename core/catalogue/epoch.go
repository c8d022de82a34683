package catalogue

import "time"

// Epoch is a period in which no version changes and no brownout begins or ends:
// a row of a timeline.
type Epoch struct {
	Moment      // of each second of the epoch; only the seconds until the end of a brownout are those of the first
	from, until int64
}

// From returns the first second of the epoch, the zero time for the first epoch.
func (e Epoch) From() time.Time {
	return timeOf(e.from)
}

// Until returns the first second after the epoch, the zero time for the last
// epoch.
func (e Epoch) Until() time.Time {
	return timeOf(e.until)
}

// Epochs returns the epochs from a time on, in order. The first one holds that
// time.
func (c *Catalogue) Epochs(now time.Time) []Epoch {
	next := reached(c.instants, now.Unix())
	epochs := make([]Epoch, 0, len(c.instants)-next+1)
	from := int64(always)
	if next > 0 {
		from = c.instants[next-1]
	}
	for ; next <= len(c.instants); next++ {
		until := int64(never)
		if next < len(c.instants) {
			until = c.instants[next]
		}
		epochs = append(epochs, Epoch{c.moment(from), from, until})
		from = until
	}
	return epochs
}
