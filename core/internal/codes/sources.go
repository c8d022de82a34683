package codes

// Sources.
var (
	AcceptParam = Row{"accept_param", "Source", Refused,
		"the version parameter %q cannot occur in a media type",
		"use letters, digits and hyphens"}
	AcceptMeaning = Row{"accept_param", "Source", Explained,
		"the parameter %q of Accept has a meaning in HTTP, the weight or the encoding of a media type, for which clients send it",
		"choose another name, such as %q"}
	PrefixOverruled = Row{"prefix_overruled", "Source", Explained,
		"the %s is asked before the %s, so a request runs the handler at a path of one version in another one",
		"put the path first, or use Agree"}
	SourcesUnreachable = Row{"sources_unreachable", "Source", Refused,
		"the %s finds a version in every request, so the sources after it are never asked",
		"put it last"}
	StoredFirst = Row{"stored_first", "Source", Explained,
		"the %s is asked before the %s, so the version of a request does not count for callers with a stored one",
		"put it last, or acknowledge this if their requests may not choose"}
	HeaderUnderscore = Row{"header_underscore", "Source", Explained,
		"nginx and other proxies drop the header %q, since its name has an underscore",
		"write hyphens"}
	VersionNotListable = Row{"version_not_listable", "AllowedVersions", Refused,
		"version %q cannot be an element of a header",
		"use printable ASCII without commas and spaces"}
	HostExpression = Row{"host_pattern", "Source", Refused,
		"the host pattern %q is not a regular expression: %v",
		""}
	HostGroup = Row{"host_pattern", "Source", Refused,
		"the host pattern %q has no group 1",
		"put parentheses around the version"}
	HostMore = Row{"host_pattern", "Source", Refused,
		"the host pattern %q has a scheme or a port, which are not compared",
		"write the host alone"}
	VersionNotInHost = Row{"version_unreachable", "AllowedVersions", Explained,
		"the first label of a host consists of letters and digits, so it can never be version %q",
		"give HostLabel a pattern, or remove the version"}
	VersionNotInGroup = Row{"version_unreachable", "AllowedVersions", Explained,
		"group 1 of the host pattern %q is never version %q",
		"correct the pattern, or remove the version"}
	VersionOneHost = Row{"version_unreachable", "AllowedVersions", Refused,
		"the versions %q and %q are one in a host, where case does not count",
		"remove one"}
	Template        = Row{"template", "Source", Refused, "%v", ""}
	TemplateVersion = Row{"template_version", "AllowedVersions", Refused, "%v", ""}
	VersionColon    = Row{"version_colon", "AllowedVersions", Refused,
		"version %q can never be a namespace, in which a colon separates nested ones",
		"remove the colon"}
	OrderMissing = Row{"order_missing", "Source", Refused,
		"Nearest has no order",
		"give it ByDate, ByNumberWithinMajor, ByNumberUpTo or ByNumberUpToNewest"}
	OrderRelease       = Row{"order_release", "Source", Refused, "%s", ""}
	OrderReleasePassed = Row{"order_release", "Source", Explained,
		"version %q is after the release of the service, so no text after it means it",
		"give ByNumberUpTo the release that runs, or use ByNumberUpToNewest"}
	OrderPlace = Row{"order_place", "Source", Refused,
		"Nearest cannot be around the %s",
		"put it around a source that reads any text, such as Header, and First or Agree around Nearest"}
	NearestNeedsServedHeader = Row{"nearest_needs_served_header", "Catalogue", Refused,
		"clients must learn which version answers them",
		"set the ServedHeader of a Catalogue, such as %q"}
	OrderUnknown = Row{"order_unknown", "Catalogue", Explained,
		"version %q has no place in the order, so no other text means it",
		"choose another order, or acknowledge this"}
	OrderEqual = Row{"order_equal", "Catalogue", Refused,
		"the versions %q and %q have the same place in the order",
		"remove one"}
	OrderWrong = Row{"order_wrong", "Catalogue", Refused,
		"version %q is listed after %q",
		"list the oldest first"}
	PreviewReached = Row{"preview_reached", "Catalogue", Explained,
		"texts after the preview %q mean an older version already, and its release would change them",
		"give it a later name"}
	ReleasedTooLate = Row{"released_too_late", "Catalogue", Explained,
		"texts after version %q mean an older one before its release, which changes them",
		"release it earlier, or give it a later name"}
	PathParam = Row{"path_param", "Source", Refused,
		"the path parameter %q is not a name",
		"write the name alone, such as %q, for a route like /:version or /{version}"}
	VersionSlash = Row{"version_slash", "AllowedVersions", Refused,
		"version %q can never be a path parameter, which a slash ends",
		"remove the slash"}
	VersionNotInPath = Row{"version_white_space", "AllowedVersions", Refused,
		"version %q has white space in it, which no client writes in a path",
		"remove it"}
	PrefixTemplate = Row{"prefix_template", "Source", Refused,
		"the template %q",
		"write it like %q: a slash first, %s once, in the last segment, no other parameter, no empty segment, no slash at the end"}
	PrefixNeedsVersions = Row{"prefix_needs_versions", "AllowedVersions", Refused,
		"a path prefix is a listed version",
		"list them"}
	VersionNotInPrefix = Row{"version_unreachable", "AllowedVersions", Refused,
		"version %q cannot be a literal segment of a path in every framework",
		"write it with letters, digits, dots and hyphens"}
	VersionDoubled = Row{"version_doubled", "Source", Refused,
		"the template %q has %q before the version, which the versions have already, so that clients would write %q",
		"leave it out of the template"}
	QueryParam = Row{"query_param", "Source", Refused,
		"the query parameter has no name",
		"write one, such as %q"}
	QueryName = Row{"query_param", "Source", Refused,
		"the query parameter %q has a character that is not part of a name, such as a comma",
		"write the name alone, such as %q"}
	SourcesMissing = Row{"source_missing", "Source", Refused, "source %d is nil", "remove it"}
	SourcesEmpty   = Row{"sources_empty", "Source", Refused,
		"First and Agree need at least one source",
		"give one"}
	SourcesTwice = Row{"sources_twice", "Source", Refused,
		"the source %s is in the combination twice",
		"remove one"}
	PrefixesTwice = Row{"sources_twice", "Source", Refused,
		"the %s and the %s are both in the combination, and a route is under one prefix",
		"remove one"}
	StoredKey = Row{"stored_key", "Source", Refused,
		"nothing can be stored under the key %v of type %[1]T",
		"use a text, or a value of a type of your own"}
	StoredKeyEmpty = Row{"stored_key", "Source", Refused,
		"the key is empty",
		"write the text under which a middleware stores the version"}
	StoredHeader = Row{"header_name", "Source", Refused,
		"%q is not the name of a header",
		"name the one by which the caller is recognized, such as %q"}
	StoredWithoutHeaders = Row{"stored_without_headers", "Source", Explained,
		"the %s names no header by which a middleware recognizes the caller, so shared caches keep no response",
		"name one, such as %q"}
)
