package codes

// Catalogues, and the dates of routes.
var (
	BrownoutOverlap = Row{"brownout_overlap", "versions[].brownouts[]", Catalogued,
		"the window overlaps one that ends at %s",
		"move one"}
	BrownoutStatus = Row{"brownout_status", "versions[].brownouts[].status", Catalogued,
		"status %d is not an error status",
		"write one from 400 to 599, or leave it out for 410"}
	BrownoutWindow = Row{"brownout_window", "versions[].brownouts[]", Catalogued,
		"the window ends at %s, which is not after its beginning",
		"move its end"}
	BrownoutTooEarly = Row{"brownout_not_deprecated", "versions[].brownouts[].from", Catalogued,
		"the window begins before the version is deprecated at %s",
		"move one"}
	BrownoutAfterSunset = Row{"brownout_after_sunset", "versions[].brownouts[].until", Catalogued,
		"the window ends after the sunset at %s, which ends the version",
		"move one"}
	BrownoutHalf = Row{"brownout_window", "versions[].brownouts[].until", Catalogued,
		"a window needs a beginning and an end",
		"add this date"}
	VersionCount = Row{"version_bound", "versions", Catalogued,
		"%d versions",
		"list at most %d, and leave out versions that clients no longer request"}
	InstantBound = Row{"instant_bound", "versions", Catalogued,
		"the versions change at %d instants",
		"leave at most %d, and remove the brownouts that are over"}
	EntryTwice = Row{"version_twice", "versions[].version", Catalogued,
		"%s is already versions[%d]",
		"remove one"}
	EntryEmpty = Row{"version_empty", "versions[].version", Catalogued,
		"the version is empty",
		"write it, or remove the entry"}
	EntryNotListable = Row{"version_not_listable", "versions[].version", Catalogued,
		"%s cannot be in a header field",
		"write visible ASCII without a comma"}
	NoVersions = Row{"no_versions", "versions", Catalogued,
		"no version is listed",
		"list the versions, the oldest first"}
	OnlyPreview = Row{"only_preview", "versions", Catalogued,
		"every version is a preview",
		"list another, too"}
	VersionBytes = Row{"version_bound", "versions", Catalogued,
		"the versions have %d bytes together, and a header field holds at most %d",
		"shorten or remove some"}
	ForwardNeedsServedHeader = Row{"forward_needs_served_header", "served_header", Catalogued,
		"responses must name the version that answers for %s",
		`name a header field, such as "Api-Version"`}
	DeprecationBeforeRelease = Row{"deprecation_before_release", "versions[].deprecated", Catalogued,
		"the deprecation is before the release at %s",
		"move one"}
	SunsetBeforeRelease = Row{"sunset_before_release", "versions[].sunset", Catalogued,
		"the sunset is before the release at %s",
		"move one"}
	BrownoutNotDeprecated = Row{"brownout_not_deprecated", "versions[].brownouts", Catalogued,
		"version %s has brownouts but is never deprecated",
		"add the date of its deprecation"}
	SuccessorUnknown = Row{"successor_unknown", "versions[].successor", Catalogued,
		"%s is not a listed version",
		"name a later version than %s"}
	SuccessorSelf = Row{"successor_self", "versions[].successor", Catalogued,
		"%s cannot succeed itself",
		"name a later version"}
	SuccessorOlder = Row{"successor_older", "versions[].successor", Catalogued,
		"%s is listed before %s",
		"name a later version"}
	SuccessorPreview = Row{"successor_preview", "versions[].successor", Catalogued,
		"%s is a preview",
		"name another version"}
	SuccessorGoneFirst = Row{"successor_gone_first", "versions[].successor", Catalogued,
		"%s ends at %s, before %s",
		"name another successor, or move one"}
	AfterSunsetUnknown = Row{"after_sunset_unknown", "after_sunset", Catalogued,
		"%s is not an action",
		"write %q, %q or %q"}
	FieldName = Row{"header_name", "served_header", Catalogued,
		"%s is not a field name",
		`write letters, digits and hyphens, such as "Api-Version"`}
	FieldReserved = Row{"header_reserved", "served_header", Catalogued,
		"%s already has another meaning",
		`choose another name, such as "Api-Version"`}
	LinkCount = Row{"link_bound", "links", Catalogued,
		"%d links",
		"keep at most %d, and move the rest to a page, and link to that"}
	LinkBytes = Row{"link_bound", "links", Catalogued,
		"the links have %d bytes",
		"keep at most %d, and move the rest to a page, and link to that"}
	LinkRelation = Row{"link_relation", "links[].rel", Catalogued,
		"%s is not one relation type",
		`write a registered one in lower case, such as "deprecation", or a URI`}
	LinkRelationNear = Row{"link_relation", "links[].rel", Catalogued,
		"%s is not a registered relation type",
		"write %q, or a URI for your own"}
	LinkTarget = Row{"link_target", "links[].href", Catalogued,
		"%s is not the target of a link",
		"write an encoded URI of http, https or mailto, or a path that begins with a slash"}
	LinkType = Row{"link_type", "links[].type", Catalogued,
		"%s is not a media type without parameters",
		`write one, such as "text/html"`}
	LinkTitle = Row{"link_title", "links[].title", Catalogued,
		"%s is not one line of ASCII",
		"write an ASCII title, and use other letters only on the page"}
	LinkHreflang = Row{"link_hreflang", "links[].hreflang", Catalogued,
		"%s is not a language tag",
		`write one, such as "de" or "pt-BR"`}
	DateMalformed = Row{"date_malformed", "a date", Catalogued,
		"%s is not a date",
		`write "2026-06-30T12:00:00Z", with a zone, or "2026-06-30"`}
	DateUnset = Row{"date_unset", "a date", Catalogued,
		"%s is not after 1970-01-01T00:00:00Z",
		"leave out the date if it is not set"}
	DateRange = Row{"date_range", "a date", Catalogued,
		"%s is after the year 9999 in GMT",
		"leave out the date if it never comes"}
	DateFraction = Row{"date_fraction", "a date", Catalogued,
		"%s has a fraction of a second",
		"write whole seconds, in Go .Truncate(time.Second)"}
	SinceUnknown = Row{"since_unknown", "since", Catalogued,
		"%s is not a listed version",
		"write one, such as %s"}
	RemovedUnknown = Row{"removed_unknown", "removed_in", Catalogued,
		"%s is not a listed version",
		"write one, such as %s"}
	RangeEmpty = Row{"range_empty", "since, removed_in", Catalogued,
		"no version has the route, which is there since %s and removed in %s",
		"change a bound"}
	ChoiceUnused = Row{"choice_unused", "choices[]", Catalogued,
		"it begins in %s, but the route is there since %s and removed in %s",
		"remove it, or change the bound"}
	DispatchBegins = Row{"dispatch_empty", "choices[]", Catalogued,
		"no version before %s has the route, so there is nothing to remove",
		"begin with a version of the route"}
	DispatchEmpty = Row{"dispatch_empty", "choices", Catalogued,
		"there is none",
		"add one for a version"}
	RouteSunsetBefore = Row{"sunset_before_deprecation", "sunset", Catalogued,
		"the earliest sunset of the route and the version is before the earliest deprecation in %s",
		"move one (RFC 9745, section 4)"}
	SunsetBeforeDeprecation = Row{"sunset_before_deprecation", "sunset", Catalogued,
		"the sunset is before the deprecation at %s",
		"move one (RFC 9745, section 4)"}
)

// Catalogues over time.
var (
	NothingLeft = Row{"nothing_left", "Catalogue", Explained,
		"no version is served, except previews%s",
		"list a version without a sunset, or move a release or a sunset"}
	SunsetPassed = Row{"sunset_passed", "Catalogue", Explained,
		"version %s is served although its sunset was at %s",
		"end it with after_sunset, or move the sunset"}
	SunsetWithoutEnd = Row{"sunset_without_end", "Catalogue", Explained,
		"version %s announces its end at %s but will still be served",
		"set after_sunset to %q to end it then, or to %q if you intend it"}
	SunsetWithoutDeprecation = Row{"sunset_without_deprecation", "Catalogue", Explained,
		"version %s has a sunset but no deprecation",
		"add the date from which clients should leave it"}
	ShortNotice = Row{"short_notice", "Catalogue", Explained,
		"version %s ends less than 30 days after it is deprecated",
		"move either date"}
	DateDistant = Row{"date_distant", "Catalogue", Explained,
		"version %s has the date %s, more than 20 years from now",
		"correct the year, or leave out the date of what is not planned"}
	BrownoutLong = Row{"brownout_long", "Catalogue", Explained,
		"version %s is switched off from %s until %s, for more than 30 days",
		"correct the dates, or end the version"}
	NoWayForward = Row{"no_way_forward", "Catalogue", Explained,
		"version %s is deprecated or ends, but has neither a successor nor a link for clients",
		"add one"}
)
