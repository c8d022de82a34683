package codes

// All routes together.
var (
	FilesChecked = Row{"files_checked", "Routes", Explained,
		"%s, registered by other code, has all paths below it, as files do, and is behind Middleware, where a request without a version is %s",
		"exempt it with Skipper, or register it where Middleware does not run"}
	HostUnchecked = Row{"host_unchecked", "Links", Explained,
		"links begin with the Host header that a client sends, and nothing checks it",
		"set Links.Origin or Links.TrustedHosts"}
	OriginVersion = Row{"origin_version", "Links.Origin", Explained,
		"Origin %q ends in a version, and the paths of routes have it too, so links repeat it",
		"leave it out of Origin, or acknowledge this if a proxy removes it"}
	ClockZero = Row{"clock_zero", "Clock", Explained,
		"Clock returns %s, at which no version is deprecated or has ended",
		"let it return the present time, or remove it"}
	ClientNotSet = Row{"client_not_set", "Observe", Explained,
		"no Observation has the name of a client, so you cannot know who still calls a version that ends",
		`set Client in the adapter's configuration, or Acknowledged: []string{"client_not_set"} in verso.Config if your clients cannot be distinguished`}
	StoredBehindMiddleware = Row{"stored_behind_middleware", "Routes", Explained,
		"Middleware reads the %s, which another middleware stores",
		"install that one first, and then acknowledge this, or routes of other code have no such version"}
	OptionUnused = Row{"option_unused", "Routes", Explained,
		"no route has an option or middleware from the call in %s",
		"register routes with the result, and those of a group after Use, or remove the call; the function of PerRoute gets paths without the prefix, and methods in upper case"}
	ProducesUnused = Row{"produces_unused", "Produces", Explained,
		"it has no effect, since the version is not read from Accept",
		"remove it"}
	BoundTwice = Row{"bound_twice", "Routes", Explained,
		"New of the adapter was called %d times with this versioning for one router: links do not find the routes of another New, and Explain shows them as not checked",
		"call it once, and hand on what it returns, or acknowledge this if their Configs differ"}
	MiddlewareUnused = Row{"middleware_unused", "Routes", Explained,
		"no route is behind what Middleware returned at %s, so it checks none",
		"install it before the routes that it checks, and not before the router, or acknowledge this if code of yours calls it"}
	DefaultDeprecated = Row{"default_deprecated", "DefaultVersion", Explained,
		"%s the default version %q is deprecated",
		"choose another default before, or set AfterDefaultSunset"}
	DefaultUnreleased = Row{"default_unreleased", "DefaultVersion", Explained,
		"%s the default version %q is not released, so requests without a version are rejected",
		"choose another default before"}
	DefaultGone = Row{"default_gone", "DefaultVersion", Explained,
		"%s the default version %q has ended: requests without a version get %s",
		"choose another default before, or set AfterDefaultSunset"}
	ForeignRoutesEnd = Row{"foreign_routes_end", "Routes", Explained,
		"%[2]s: %[1]s, registered by other code, ends with the default version",
		"exclude it from Middleware, or register it with Verso, as Neutral"}
	AcceptedUnknown = Row{"accepted_unknown", "Acknowledged", Explained,
		"no finding has the code %q",
		"remove it, or correct it"}
	NotFoundHidden = Row{"not_found_hidden", "Routes", Explained,
		"%s takes requests for deleted routes of an ended version, which NotFound answers with 410",
		"register a route with Verso for all paths below the API, which answers 404, or acknowledge this if it returns the framework's own 404"}
	NotFoundTaken = Row{"not_found_hidden", "Routes", Explained,
		"%s gets requests that no route takes, also in versions that have ended or are not listed: NotFound answers them only if its handler returns the framework's own 404",
		"return that for the paths of the API: this goes when a request has shown it, or acknowledge it"}
	RouteLost = Row{"route_lost", "Routes", Explained,
		"%s came when the function of RegisterVersions or Register had returned, and is served nowhere",
		"register it while the function runs"}
	NeighbourShadowed = Row{"neighbour_shadowed", "Routes", Explained,
		"%s takes requests in versions before its first from a route with a parameter in its place, and they get not_in_version",
		"give it the handler of that route for these versions, by HandleVersions, or another path"}
	NewestFirst = Row{"newest_first", "Routes", Explained,
		"the versions are listed newest first (%s), and the options of routes and AtLeast apply from one version to those listed after it",
		"list the oldest first"}
	SortedAsText = Row{"sorted_as_text", "Routes", Explained,
		"the versions are sorted as text, not by their numbers (%s), and the options of routes and AtLeast apply from one version to those listed after it",
		"list the oldest first"}
	PrefixUnknownVersion = Row{"prefix_unknown_version", "Routes", Explained,
		"%s is not under the prefix of a served version, so every request is rejected",
		"list the version, or correct the pattern"}
	PrefixUnlisted = Row{"prefix_unlisted", "Routes", Explained,
		"%s looks like a version, and is not listed: a request is %s",
		"list the version before you register its routes"}
	PrefixParameter = Row{"prefix_parameter", "Routes", Explained,
		"%s has a parameter in the place of the version: a request with a version there, to a path that this version does not have, is %s",
		"put fixed text before the parameter, or acknowledge it"}
	PrefixMissing = Row{"prefix_missing", "Routes", Explained,
		"%s has no listed version in its path, unlike other routes, so a request is %s",
		"register it by EachVersion, or make it Neutral"}
	PrefixOutside = Row{"prefix_outside", "Routes", Explained,
		"%s is not under the path prefix, where a request is %s",
		"make it Neutral, or register it with the framework, where no Middleware checks it"}
	PrefixEmpty = Row{"prefix_empty", "Routes", Explained,
		"no route is under %q, the prefix of version %q",
		"register its routes, by EachVersion if they are those of other versions, or remove the version from the list"}
	ErrorsNotRewritten = Row{"errors_not_rewritten", "Routes", Explained,
		"bodies are rewritten for older versions, but not those that middleware answers with after an error or a panic",
		"install RewriteErrors before that middleware"}
	NotRewritten = Row{"not_rewritten", "Routes", Explained,
		"the bodies of other routes are rewritten for older versions, and those of %s are not, so old clients get their newest form",
		"add Rewrite, with the types of the bodies, or without any if they are the same in all versions; of Neutral and Rewrite, remove one"}
	UncheckedVersioned = Row{"unchecked_versioned", "Routes", Explained,
		"%s is registered with the framework directly, at a path that Verso versions, so requests to it are not checked",
		"register it with Verso, as Neutral if it has no version"}
	RouteDoubled = Row{"version_doubled", "Routes", Explained,
		"%s has text before the version which the versions have already, so that clients would write %q",
		"leave it out of the path"}
	RouteUnmounted = Row{"route_unmounted", "Routes", Explained,
		"requests to %s do not reach v: the router that v was made for has no route of v there",
		"mount the router that In was given, or remove what is registered in the same place later"}
	NameWithoutRoute = Row{"name_without_route", "Routes", Explained,
		"no route has the path %s of Names, so links do not find its name",
		"write the whole path as it is registered, with the prefix of its group"}
	RouteSunsetPassed = Row{"sunset_passed", "Routes", Explained,
		"%s is served although its own sunset has passed",
		"end it with after_sunset of a catalogue, or move or remove its SunsetAt"}
	RouteInNoVersion = Row{"route_in_no_version", "Routes", Explained,
		"no version has %s, so every request to it is rejected",
		"list the version in its prefix or namespace, or correct its options"}
	ParamWithoutVersion = Row{"param_without_version", "Routes", Explained,
		"the expression of the path parameter %[2]q in %[1]s does not match version %[3]q, so its requests are not found",
		"correct the expression, or limit the versions with Since and RemovedIn"}
	ParamNotRead = Row{"param_not_read", "Routes", Explained,
		"the path parameter %[2]q of %[1]s does not affect the version, which is read from %[3]s",
		"use PathParam, or rename the parameter"}
	VersionInPath = Row{"version_in_path", "Routes", Explained,
		"the version in the path %[1]s has no part in that of a request, which is read from %[2]s",
		"use PathPrefix or Namespace, or rename the segment"}
	DefaultUnused = Row{"default_unused", "DefaultVersion", Explained,
		"no request has the default version %q, since the path of each route has a version",
		"remove it"}
	DefaultRefused = Row{"default_refused", "DefaultVersion", Explained,
		"no request has the default version %q, since Strict.RefuseUnversioned rejects those without a version",
		"remove either"}
	ParamInNoRoute = Row{"param_in_no_route", "Routes", Explained,
		"the path parameter %s does not occur in any route",
		"add it to the patterns, or correct its name"}
	NeutralInVersion = Row{"neutral_in_version", "Routes", Explained,
		"%s is Neutral and has the version's parameter, so that it answers for any text there, also for versions that have ended or are not listed",
		"remove the parameter or Neutral, or acknowledge this if the handler reads it"}
	AllNeutral = Row{"all_neutral", "Routes", Explained,
		"all routes are Neutral, so no request has a version",
		"make Neutral only those that are the same for ever, such as a login"}
	RouteWithoutParam = Row{"route_without_param", "Routes", Explained,
		"the path parameter %[2]s is not in %[1]s, where a request is %[3]s",
		"name it in the pattern, or make the route Neutral"}
	RouteWithoutNamespace = Row{"route_without_namespace", "Routes", Explained,
		"%s is in no namespace, so a request is %s",
		"put it into one, or make it Neutral"}
	NamespacesUnused = Row{"no_namespaces", "Routes", Explained,
		"no route is in a namespace, from which a version may be read",
		"put the routes of a version into a namespace, or remove the source"}
	NoNamespaces = Row{"no_namespaces", "Routes", Explained,
		"no route is in a namespace, so every request is %s",
		"put the routes of a version into a namespace"}
	SuccessorUnlinked = Row{"successor_unlinked", "Catalogue", Explained,
		"no link to the successor of version %q can be sent for %d of its routes, such as %s: no URL carries the version, or no route of the successor is at that path or has that name",
		""}
)
