// Drafted from published documents, to be edited; sha256 3772334d6cf1d9ca78bd7c533197a43732271eaf0087b9dffd0b5940c0e2bd91

// Package api has the newest form of the API, and how each of the versions v2, v1 differs from it.
package api

import (
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

var changeV2 = migrate.Changed("TODO: a sentence for the changelog, for clients of v1.",
	migrate.For[Booking](
		// TODO: these went into "address", by the names. If not, use Removed and Added
		migrate.Nested("address", map[string]string{"city": "city", "street": "street"}),
		// TODO: "guest" is "guest_name" now: the form and a word are the same. If not, older clients read another value: use Removed and Added
		migrate.Renamed("guest", "guest_name"),
		// TODO: "legacy_code" is gone, and address.city, address.country, address.street came: is its data there? Then use RemovedFrom, Renamed or Nested; as it is, older clients do not read it
		migrate.Removed("legacy_code,omitempty", ""),
		migrate.Added("remarks"),
		// TODO: "note" may be null now: older clients do not get it then. If not, give a constant
		migrate.NotNull("note", migrate.Absent),
		// TODO: values of "state": gone are none; new are "cancelled". For a new one older clients read "open". If not, they read and mean other values
		migrate.Values("state", nil, migrate.NewValue("cancelled", "open")),
	),
	migrate.For[Card](
		migrate.Added("holder"),
	),
	migrate.For[ListBookingsParamsQuery](
		// TODO: "sort" is "sort_by" now: the form and a word are the same. If not, older clients read another value: use Removed and Added
		migrate.Renamed("sort", "sort_by"),
		// TODO: values of "state": gone are none; new are "cancelled". For a new one older clients read "open". If not, they read and mean other values
		migrate.Values("state", nil, migrate.NewValue("cancelled", "open")),
	),
	migrate.For[Payment](
		// TODO: the variant "voucher" is new: older clients read null for it, also in lists. Name what they read instead
		migrate.NewVariant("voucher", nil),
	),
	migrate.For[Problem](
		migrate.Added("code"),
	),
)

// History returns the history of the API, whose versions api has.
func History(api *verso.Versioning) (*migrate.History, error) {
	return migrate.New(api,
		migrate.OneOf[Payment]("kind",
			migrate.Variant[Card]("card"),
			migrate.Variant[Bank]("bank"),
			migrate.Variant[Voucher]("voucher")),
		migrate.Release("v2", changeV2),
		migrate.Release("v1"))
}
