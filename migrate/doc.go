// Package migrate serves every version of an API from the handlers of the newest one.
// A [History] declares what each version changed; the bodies of older requests are
// lifted to the newest version before the handler reads them, and what it writes is
// lowered.
//
//	var history = verso.Must(migrate.New(api,
//		migrate.Release("v3",
//			migrate.Changed("A guest is a guest_name.", migrate.For[Booking](migrate.Renamed("guest", "guest_name")))),
//		migrate.Release("v2",
//			migrate.Changed("A booking says its room.", migrate.For[Booking](migrate.Added("room", migrate.Absent)))),
//		migrate.Release("v1")))
//
//	v.Rewrite(history.Route(migrate.Accepts[Booking](), migrate.Returns[Booking]())).PUT("/bookings/:id", save)
//
// Numbers, escapes, unknown members, their order and the newline after a value stay
// byte for byte; whitespace may go. A renamed member stays in its place, a made one
// stands where the last member that it is built from was, a constant at the end.
package migrate
