package codes

// Configurations.
var (
	DefaultEndUnknown = Row{"when_default_ends", "AfterDefaultSunset", Refused,
		"AfterDefaultSunset %q does not exist",
		"use RejectUnversioned (in a file %q) or MoveUnversioned (%q)"}
	DefaultNeverEnds = Row{"when_default_ends", "AfterDefaultSunset", Explained,
		"no default version ends",
		"set DefaultVersion, and its sunset in a Catalogue, or remove AfterDefaultSunset"}
	DefaultMovesUnsaid = Row{"default_moves_unsaid", "AfterDefaultSunset", Refused,
		"after the sunset, requests without a version are answered by a later version, but no response header names it",
		"set ServedHeader in the Catalogue"}
	VersionTwice = Row{"version_twice", "AllowedVersions", Refused,
		"allowed version %q is listed twice",
		"remove one"}
	VersionWhiteSpace = Row{"version_white_space", "AllowedVersions", Refused,
		"allowed version %q has white space around it",
		"remove it"}
	VersionsUnnamed = Row{"version_bound", "AllowedVersions", Explained,
		"%d versions are listed, and each rejection names the newest %d",
		"leave out those that no client asks for, or set HideAllowedVersions"}
	CatalogueEmpty = Row{"catalogue_empty", "Catalogue", Refused,
		"the Catalogue is empty",
		"make it with catalogue.New or catalogue.MustNew"}
	TwoLists = Row{"two_lists", "AllowedVersions", Refused,
		"the Catalogue lists the versions already",
		"remove either"}
	AnyVersionListed = Row{"any_version", "AnyVersion", Refused,
		"the versions are listed, but AnyVersion is set",
		"remove one"}
	DefaultUnknown = Row{"default_unknown", "DefaultVersion", Refused,
		"the default version %q is not in the Catalogue",
		"add it, or correct it"}
	DefaultPreview = Row{"default_preview", "DefaultVersion", Refused,
		"the default version %q is a preview, which is served only to those who name it",
		"choose another"}
	UnversionedUnused = Row{"unversioned_unused", "AllowUnversioned", Explained,
		"a request without a version has the default version %q, so AllowUnversioned has no effect",
		"remove one"}
	AnyVersionUnsaid = Row{"any_version", "AllowedVersions", Explained,
		"no versions are listed, so any version that a client sends is accepted",
		"list the versions, or set AnyVersion if you intend it"}
	DefaultNotListed = Row{"default_not_listed", "DefaultVersion", Explained,
		"the default version %q is not in AllowedVersions but is served anyway",
		"add it, or correct it"}
	OriginTwice = Row{"origin_twice", "Links.Origin", Refused,
		"both Origin and OriginFunc are set",
		"remove one"}
	OriginRelative = Row{"origin_relative", "Links.Relative", Refused,
		"links are Relative, but an origin is set",
		"remove one"}
	TrustedHost = Row{"trusted_host", "Links.TrustedHosts", Refused,
		"trusted host %q is not a host",
		"write it like api.example.com or *.example.com"}
	Origin      = Row{"origin", "Links.Origin", Refused, "%v", ""}
	StrictEmpty = Row{"strict_empty", "Strict.RefuseEmpty", Refused,
		"the empty version is refused, but it is the default or in the list",
		"remove one"}
	AnyVersionStrict = Row{"any_version", "AllowedVersions", Refused,
		"every version is served, although the service is strict",
		"list the versions, or set AnyVersion if you mean it"}
	AllowedHost = Row{"allowed_host", "Strict.AllowedHosts", Refused,
		"allowed host %q",
		"write it like example.com, in ASCII, without a scheme, port, wildcard, or dot at either end"}
	SourceMissing = Row{"source_missing", "Source", Refused,
		"the source is nil",
		"pass one, such as verso.PathParam(%q)"}
	Produces      = Row{"produces", "Produces", Refused, "%v", ""}
	TranslatorNil = Row{"translator_nil", "Translator", Refused,
		"the translator is a nil pointer",
		"check the error of what made it, or remove it"}
	CounterMissing = Row{"counter_missing", "Counters", Refused,
		"counter %d is nil",
		"give one, or remove it"}
	SourceName = Row{"source_name", "Source", Refused,
		"the source has no name",
		"let Describe return one"}
	SourceRejection = Row{"source_rejection", "Source", Refused,
		"the %s rejects with status %d, message %q",
		"use a status of 400 to 599 and a message"}
)

// Configuration files.
var (
	JSONNotUTF8 = Row{"json_malformed", "the file", Catalogued,
		"the text is not UTF-8",
		"save it as UTF-8"}
	JSONMarked = Row{"json_malformed", "the file", Catalogued,
		"the text begins with a byte order mark",
		"save it as UTF-8 without one"}
	JSONNone  = Row{"json_malformed", "the file", Catalogued, "%v", "write a JSON object"}
	JSONComma = Row{"json_malformed", "the file", Catalogued,
		"%s: nothing follows the comma",
		"remove it"}
	JSONMalformed   = Row{"json_malformed", "the file", Catalogued, "%s: %v", "correct it there"}
	JSONKeyUnknown  = Row{"json_key_unknown", "the file", Catalogued, "%s", "correct the key, or remove it"}
	JSONKeyCase     = Row{"json_key_unknown", "the file", Catalogued, "%s: unknown field %q", "write %q"}
	JSONKeyTwice    = Row{"json_key_twice", "the file", Catalogued, "%s: duplicate key %q", "remove one"}
	JSONType        = Row{"json_type", "the file", Catalogued, "%s is a JSON %s", "write %s"}
	SchemeUnknown   = Row{"scheme_unknown", "Scheme", Refused, "%q is not a scheme", "list sources, or use one of %s"}
	NotRead         = Row{"not_read", "the setting", Refused, "%s does not read it", "remove it"}
	SourcesUnread   = Row{"sources", "Sources", Refused, "%v", ""}
	ConfiguredTwice = Row{"configured_twice", "the setting", Refused,
		"it is set in code and in the file",
		"remove one"}
)
