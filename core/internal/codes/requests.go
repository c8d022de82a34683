package codes

// Requests.
var (
	PreflightUnanswered = Row{"preflight_unanswered", "Routes", Logged,
		"a CORS preflight without a version is answered with status 204 instead of by its route's handler, because the route has version options",
		"install CORS before Verso"}
	StoredUnknown = Row{"stored_unknown", "Source", Failed,
		"the %s is %q, which is not served",
		"store a released version, and leave it in the list after its end"}
	StoredType = Row{"stored_type", "Source", Failed,
		"a stored value cannot be read as a version: %s",
		"store its text"}
	NoPlaceForVersion = Row{"no_place_for_version", "Source", Logged,
		"a request has no place for a version (%s) and is %s",
		"correct the pattern or the host, strip no prefix in front of the check, or reject such requests with Strict.RefuseUnversioned"}
	StoredLate = Row{"stored_late", "Source", Failed,
		"a version was stored for a request after the check, so it had no effect",
		"run the middleware that stores it before the check"}
	ObservePanicked = Row{"observe_panicked", "Observe", Failed,
		"%s panicked, and will not be logged again: %s",
		""}
	ClientSecret = Row{"client_secret", "Client", Failed,
		"Client returned a bearer token, which is a secret, so it is not passed on",
		"return the name of whom it belongs to"}
	ClockStill = Row{"clock_still", "Clock", Logged,
		"Clock has returned %s for a minute: dates that come have no effect",
		"let it return the present time, or remove it"}
	ClockBack = Row{"clock_back", "Clock", Logged,
		"Clock has gone back by more than an hour, to %s: versions that have ended are served again",
		"let it return the present time, or remove it"}
	AtLeastUnknown = Row{"at_least_unknown", "Versions", Logged,
		"AtLeast(%q): not one of the versions %q",
		"correct it"}
	AtLeastUnversioned = Row{"at_least_unversioned", "Versions", Logged,
		"AtLeast(%q) is false for a request without a version: its route is Neutral, or it has no place for one",
		"let the route have versions, or do without AtLeast"}
	OriginUnusable = Row{"origin_unusable", "Links.OriginFunc", Logged,
		"OriginFunc returned a text with which links cannot begin, so they are relative: %v",
		""}
	LinkFailed        = Row{"link_failed", "Routes", Failed, "a response lacks the link to %q: %v", ""}
	RewriteErrorsLate = Row{"errors_not_rewritten", "Routes", Logged,
		"RewriteErrors was called, and its middleware is not installed before a route with Rewrite",
		"install it before the routes"}
)

// Requests, as adapters see them.
var (
	BeforeRouter = Row{"before_router", "Routes", Logged,
		"the middleware runs before the router and does nothing",
		"install it with Use, not with Pre"}
	MiddlewareApart = Row{"middleware_apart", "Middleware", Logged,
		"another handler is between Middleware and the ServeMux, so neutral routes are checked too",
		"put Middleware directly around the ServeMux"}
	HandlerDropped = Row{"handler_dropped", "Routes", Logged,
		"the handler from %s at %s is not served, so it has no effect",
		"serve it instead of the router"}
	SkippedVersioned = Row{"skipped_versioned", "Skipper", Logged,
		"Skipper exempts requests to %s, whose path has a version, from the check",
		"let it return true for requests without a version alone, or acknowledge this"}
	AnsweredEarly = Row{"answered_early", "Routes", Logged,
		"a handler in front of the check has answered a request, in whatever version",
		"let the last handler of the route answer: those before it are middleware"}
	RejectedAsSuccess = Row{"rejected_as_success", "ErrorHandler", Logged,
		"an error handler or middleware has answered a rejected request with a status of 200 to 299, which clients take for success",
		"write the status of the error, or acknowledge this"}
	NoMethod = Row{"no_method", "NotFound", Logged,
		"Gin answers requests of unknown versions with 405, since HandleMethodNotAllowed is set",
		"give NotFound to NoMethod too"}
	NotFoundElsewhere = Row{"not_found_elsewhere", "NotFound", Logged,
		"NotFound answers for an Echo whose routes it does not know",
		"give it to the Echo that New got"}
	PatternWithoutParam = Row{"route_without_param", "Routes", Logged,
		"the path parameter %q is not in %q: such a route gets the default version, also where a handler inside routes on by a pattern that has it",
		""}
	RewrittenPassedOn = Row{"rewritten_passed_on", "Rewrite", Logged,
		"a handler of a rewritten route has called HandleContext, with which the other route answers in the newest form",
		"call its function, or redirect"}
)
