package verso

import "github.com/goverso/verso/core/internal/sources"

// Order is the order by which [Nearest] compares the texts of clients with the versions, and
// what a text after the newest version means. The zero Order is a mistake.
type Order struct{ kept sources.Order }

// ByDate is the order of dates: "2025-01-31", or "2025-01" for the first day of a month. A date
// after the newest version means that version up to tomorrow in UTC, by [Config.Clock], since
// it is tomorrow somewhere already. A later one is rejected.
func ByDate() Order { return Order{sources.Dates()} }

// ByNumberWithinMajor is the order of numbers in which a text means versions of its first
// number alone, also after the newest: with the versions 1.2, 2.0 and 10.0, "1.3" means 1.2 and
// "10.5" means 10.0, but "3.1" is rejected. It is for clients whose first number changes when
// the contract breaks.
//
// In each order of numbers a text has one to four numbers: "0.16.1", or "v2" if the versions
// have a "v" too. A missing number is 0.
func ByNumberWithinMajor() Order { return Order{sources.NumbersWithinMajor()} }

// ByNumberUpTo is the order of numbers in which a text after the newest version means that
// version, up to the release of the service, which is included: with the versions 1.2 and 2.0
// in release 3.4, "1.9" means 1.2, "3.1" means 2.0, and "3.5" is rejected. It is for clients that
// are released with the service. A new version has the number of its release or a later one.
// For the form of numbers see [ByNumberWithinMajor].
func ByNumberUpTo(release string) Order { return Order{sources.NumbersUpTo(release)} }

// ByNumberUpToNewest is the order of numbers in which a text after the newest version is
// rejected: with the versions 1.2 and 2.0, "1.9" means 1.2, and "2.1" is rejected. For the form
// of numbers see [ByNumberWithinMajor].
func ByNumberUpToNewest() Order { return Order{sources.NumbersUpToNewest()} }
