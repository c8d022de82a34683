package locales

import "github.com/nicksnyder/go-i18n/v2/i18n"

// messages are the messages in English, the source of all translations. The IDs and
// texts repeat those of package verso as literals, because goi18n reads only this
// file; a test compares them. The descriptions are for translators.
//
// After a change run "./i18n.sh update".
var messages = []*i18n.Message{
	{
		ID: "invalid_accept_header_version",
		Description: `Text in the body of an HTTP error, for developers: the media type in the "Accept" request ` +
			`header has a version parameter, and the API does not have that version. "Accept" is the name of the ` +
			`header: keep it as it is, in straight double quotes.`,
		Other: `Invalid version in "Accept" header.`,
	},
	{
		ID: "invalid_url_path_version",
		Description: `Text in the body of an HTTP error, for developers: the path of the URL, as in /v9/users, ` +
			`names a version that the API does not have. Keep "URL" as it is where the language does.`,
		Other: "Invalid version in URL path.",
	},
	{
		ID: "invalid_namespace_version",
		Description: `Text in the body of an HTTP error, for developers: routes are grouped into namespaces, one for ` +
			`each version of the API, and the path of the URL belongs to none of them. Two sentences; the first one ` +
			`is the whole of invalid_url_path_version.`,
		Other: "Invalid version in URL path. Does not match any version namespace.",
	},
	{
		ID: "invalid_host_name_version",
		Description: `Text in the body of an HTTP error, for developers: the host name, as in v9.example.com, ` +
			`names a version that the API does not have.`,
		Other: "Invalid version in hostname.",
	},
	{
		ID: "invalid_query_parameter_version",
		Description: `Text in the body of an HTTP error, for developers: a parameter in the query of the URL, ` +
			`as in ?version=9, names a version that the API does not have.`,
		Other: "Invalid version in query parameter.",
	},
	{
		ID: "invalid_header_version",
		Description: `Text in the body of an HTTP error, for developers: a header of the request that is for the ` +
			`version alone, as in Api-Version: 9, names a version that the API does not have.`,
		Other: "Invalid version in header.",
	},
	{
		ID: "invalid_version",
		Description: `Text in the body of an HTTP error, for developers: the request names a version that the API ` +
			`does not have, in a place that Verso has no message for.`,
		Other: "Invalid version in request.",
	},
	{
		ID: "missing_version",
		Description: `Text in the body of an HTTP error, for developers: the request names no version of the API, ` +
			`and the API has no default version.`,
		Other: "Missing version in request.",
	},
	{
		ID: "contradicting_versions",
		Description: `Text in the body of an HTTP error, for developers: the request names several versions of the ` +
			`API that contradict each other, as in ?version=1&version=2.`,
		Other: "Contradicting versions in request.",
	},
	{
		ID: "not_acceptable",
		Description: `Text in the body of an HTTP error, for developers: the API produces none of the media types ` +
			`that the "Accept" header of the request admits. "Accept" is the name of the header: keep it as it is, ` +
			`in straight double quotes.`,
		Other: `Could not satisfy the request "Accept" header.`,
	},
	{
		ID: "version_gone",
		Description: `Text in the body of an HTTP error, for developers: the version of the API that the request names was ` +
			`switched off for good on a day that was announced. The HTTP status is 410. "Is no longer available" ` +
			`says it too.`,
		Other: "This API version has ended.",
	},
	{
		ID: "version_brownout",
		Description: `Text in the body of an HTTP error, for developers: the version of the API that the request ` +
			`names is switched off for some minutes or hours, so that those who still use it notice before it ends ` +
			`for good on a day that is announced. One sentence.`,
		Other: "This API version is switched off for a short time and will end soon.",
	},
	{
		ID: "route_gone",
		Description: `Text in the body of an HTTP error, for developers: what the request is for, an HTTP resource such as ` +
			`/users, was switched off for good on a day of its own that was announced. The HTTP status is 410. "Is no ` +
			`longer available" says it too.`,
		Other: "This resource has ended.",
	},
	{
		ID: "not_in_version",
		Description: `Text in the body of an HTTP error, for developers: the API has the version that the request ` +
			`names, and the HTTP resource that the request is for, such as /users, but not the resource in that ` +
			`version. The HTTP status is 404.`,
		Other: "This API version does not have the resource.",
	},
	{
		ID: "method_not_in_version",
		Description: `Text in the body of an HTTP error, for developers: in the version of the API that the request ` +
			`names, the HTTP resource that the request is for, such as /users, has other methods than that of the ` +
			`request, such as POST. The HTTP status is 405.`,
		Other: "This API version does not have the method for the resource.",
	},
	{
		ID: "empty_version",
		Description: `Text in the body of an HTTP error, for developers: the request has the parameter for the ` +
			`version of the API, but nothing in it, as in ?version=.`,
		Other: "Empty version in request.",
	},
	{
		ID: "unknown_host",
		Description: `Text in the body of an HTTP error, for developers: the request is for a host name that the ` +
			`server is not reached under.`,
		Other: "Unknown hostname in request.",
	},
	{
		ID: "title_invalid_version",
		Description: `Title above one of the explanations that begin with "Invalid version": a phrase without a full ` +
			`stop. Keep "API" as it is where the language does.`,
		Other: "Invalid API version",
	},
	{
		ID: "title_not_acceptable",
		Description: `Title above the explanation not_acceptable: a phrase without a full stop. It is the reason ` +
			`phrase of HTTP status 406; use the name by which the status is known in the language.`,
		Other: "Not acceptable",
	},
	{
		ID: "title_unknown_host",
		Description: `Title above the explanation unknown_host: a phrase without a full stop. It is the reason ` +
			`phrase of HTTP status 421: the request reached a server that it is not for.`,
		Other: "Misdirected request",
	},
	{
		ID: "title_gone",
		Description: `Title above the explanations version_gone, version_brownout and route_gone: a phrase without a full ` +
			`stop, for a version or a resource. It is the reason phrase of HTTP status 410. "No longer available" ` +
			`says it too.`,
		Other: "Gone",
	},
	{
		ID:          "title_not_in_version",
		Description: `Title above the explanations not_in_version and method_not_in_version: a phrase without a full stop.`,
		Other:       "Not in this API version",
	},
}
