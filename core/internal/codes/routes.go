package codes

// Refused routes.
var (
	RouteTwice = Row{"route_twice", "Routes", Registered,
		"the route is registered twice",
		"for a handler per version, register it once with HandleVersions"}
	RouteMethod = Row{"route_method", "Routes", Registered,
		"the method %q has a space or a comma",
		`write each method by itself, apart from the path, such as "GET" and "/users"`}
	RouteMethodInPath = Row{"route_method", "Routes", Registered,
		"the path %q has a method in it",
		`write the path alone, such as "/users"`}
	RouteMethodCase = Row{"route_method", "Routes", Registered,
		"the method %q is not in upper case",
		"write %q"}
	RouteDateZero = Row{"date_unset", "Routes", Registered,
		"DeprecatedAt or SunsetAt has the zero time",
		"set the date, or remove the option"}
	RouteBoundEmpty = Row{"version_empty", "Routes", Registered,
		"Since or RemovedIn has the empty version",
		"name one, or remove the option"}
	RouteWidened = Row{"route_widened", "Routes", Registered,
		"%s %q gives the route versions that %q of its group excludes",
		"register it outside the group, or change either"}
	RouteLinkless = Row{"links_empty", "Routes", Registered,
		"Related has no link",
		"give it one, or remove the option"}
	RouteNameless = Row{"name_empty", "Routes", Registered,
		"Names gives a path the empty name",
		"write the name, or remove the path"}
	RewriteAndVersions = Row{"rewrite_and_versions", "Routes", Registered,
		"the handlers of HandleVersions write the bodies of their own versions",
		"remove Rewrite, or register one handler"}
	EachWithoutPrefix = Row{"each_without_prefix", "Routes", Registered,
		"EachVersion needs a PathPrefix source",
		"use one, or register the routes without EachVersion"}
	EachOutside = Row{"prefix_outside", "Routes", Registered,
		"the path %q is not under %q, which precedes the version",
		"register it without EachVersion"}
	EachTwice = Row{"prefix_twice", "Routes", Registered,
		"the path %q has the version %q already",
		"leave it out, or register the route without EachVersion"}
	EachParameter = Row{"prefix_parameter", "Routes", Registered,
		"the path %q has the parameter %q where %q has the version, and routers disagree about which one wins",
		"put fixed text before the parameter"}
	RewriterMissing = Row{"rewriter_missing", "Routes", Registered,
		"Rewrite gets nil",
		"check the error of what made the rewriter"}
	RewriteTwice = Row{"rewrite_twice", "Routes", Registered,
		"Rewrite is called a second time for the same routes",
		"remove either call, or register them in groups of their own"}
	MountTwice = Row{"mount_twice", "Routes", Registered,
		"version %q registers %s %s twice",
		"remove either"}
	MountNil = Row{"mount_nil", "Routes", Registered,
		"version %q registers %s %s without a handler",
		"give it one"}
	MountEscapes = Row{"mount_escapes", "Routes", Registered,
		"version %q registers %s %s with the framework itself, so that it is not checked",
		"register it with what RegisterVersions gives the function, or not in RegisterVersions"}
	MountEscapesInto = Row{"mount_escapes", "Routes", Registered,
		"%s %s is registered with the routes around a function while it runs, so the route lacks its middleware",
		"register it with the argument of the function, or before"}
	MountEmpty = Row{"mount_empty", "Routes", Registered,
		"version %q registers no route with what RegisterVersions gives its function",
		"register its routes with that, or give it a nil function"}
	MountNames = Row{"mount_names", "Routes", Registered,
		"%s and %s are one path, and the framework cannot give each version its own names",
		"give the parameters the same names"}
	HandlerUnversioned = Row{"handler_unversioned", "Routes", Registered,
		`the handler "" is for requests without a version, which are rejected`,
		"set AllowUnversioned, or remove the handler"}
	RouteOneVersion = Row{"route_one_version", "Routes", Registered,
		"no request to the route can have version %q, because of where the route is, so that handler is never called",
		"register it where requests name a version, or each version by itself"}
	NeutralAndVersioned = Row{"neutral_and_versioned", "Routes", Registered,
		"a route is either neutral or in some versions",
		"remove Neutral, or the other options"}
	RouteNeedsCatalogue = Row{"route_needs_catalogue", "Routes", Registered,
		"the options need an order of versions, but every version is served",
		"set AllowedVersions or a Catalogue"}
	DefaultOfRoute = Row{"default_not_listed", "DefaultVersion", Registered,
		"the default version %q is not in the list, so it is not known which routes it has",
		"add it to the list"}
	RouteName     = Row{"route_name", "Routes", Registered, "%v", ""}
	ClientNotRead = Row{"client_not_read", "Client", Registered,
		"nothing calls Client, since Config.Observe and Config.Counters are nil",
		"give the configuration to the store of counts before verso.New, which copies it, set Observe, or remove Client"}
	SentOption = Row{"sent_option", "Routes", Registered,
		"",
		"use Since and RemovedIn only, and remove the rest of the options"}
)
