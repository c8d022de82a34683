package verso

import (
	"strconv"
	"strings"
	"time"
)

// Order returns the position of a text, whose numbers are compared from the first one on, and
// its series: only versions of the same series can be near it. ok is false if the text has no
// place in the order.
type Order func(text string) (series string, position []int, ok bool)

// ByDate is the order of dates: "2025-01-31".
func ByDate(text string) (series string, position []int, ok bool) {
	day, err := time.Parse(time.DateOnly, text)
	return "", []int{day.Year(), day.YearDay()}, err == nil
}

// ByNumber is the order of numbers with dots: "0.16.1", "v2". A missing number is 0.
func ByNumber(text string) (series string, position []int, ok bool) {
	plain, isV := strings.CutPrefix(text, "v")
	if isV {
		series = "v"
	}
	for part := range strings.SplitSeq(plain, ".") {
		number, err := strconv.ParseUint(part, 10, 31)
		if err != nil || strconv.FormatUint(number, 10) != part {
			return "", nil, false
		}
		position = append(position, int(number))
	}
	return series, position, len(position) <= 4
}

// ByMinor is [ByNumber] within each first number: "3.1" does not mean 2.0.
func ByMinor(text string) (series string, position []int, ok bool) {
	if series, position, ok = ByNumber(text); ok {
		series += strconv.Itoa(position[0])
	}
	return series, position, ok
}

// Tomorrow returns the date of the next day, which it is somewhere already, for [Nearest].
func Tomorrow(clock func() time.Time) func() string {
	return func() string { return clock().UTC().AddDate(0, 0, 1).Format(time.DateOnly) }
}
