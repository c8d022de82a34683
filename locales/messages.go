package locales

import "github.com/nicksnyder/go-i18n/v2/i18n"

// messages are the messages in English, the source of all translations. The
// IDs and texts repeat those of package verso as literals because goi18n reads
// this file and sees nothing else; a test holds the two together. The
// descriptions are for translators.
//
// After a change run "./i18n.sh update".
var messages = []*i18n.Message{
	{
		ID: "invalid_accept_header_version",
		Description: `Text in the body of an HTTP error, for developers: the media type in the "Accept" request header ` +
			`has a version parameter, and the API does not have that version. "Accept" is the name of the header: ` +
			`keep it as it is, in straight double quotes.`,
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
		Description: `Text in the body of an HTTP error, for developers: routes are grouped into namespaces, one for each ` +
			`version of the API, and the path of the URL belongs to none of them. Two sentences; the first one is ` +
			`the whole of invalid_url_path_version.`,
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
		ID: "not_acceptable",
		Description: `Text in the body of an HTTP error, for developers: the API produces none of the media types that ` +
			`the "Accept" header of the request admits. "Accept" is the name of the header: keep it as it is, ` +
			`in straight double quotes.`,
		Other: `Could not satisfy the request "Accept" header.`,
	},
	{
		ID: "contradicting_versions",
		Description: `Text in the body of an HTTP error, for developers: the request names several versions of the API that ` +
			`contradict each other, as in ?version=1&version=2.`,
		Other: "Contradicting versions in request.",
	},
	{
		ID: "empty_version",
		Description: `Text in the body of an HTTP error, for developers: the request has the parameter for the version of ` +
			`the API, but nothing in it, as in ?version=.`,
		Other: "Empty version in request.",
	},
	{
		ID: "unknown_host",
		Description: `Text in the body of an HTTP error, for developers: the request is for a host name that the server ` +
			`is not reached under.`,
		Other: "Unknown hostname in request.",
	},
	{
		ID: "title_invalid_version",
		Description: `Title above one of the explanations that begin with "Invalid version": a phrase without a full stop. ` +
			`Keep "API" as it is where the language does.`,
		Other: "Invalid API version",
	},
	{
		ID: "title_not_acceptable",
		Description: `Title above the explanation not_acceptable: a phrase without a full stop. It is the reason phrase of ` +
			`HTTP status 406; use the name by which the status is known in the language.`,
		Other: "Not acceptable",
	},
	{
		ID: "title_unknown_host",
		Description: `Title above the explanation unknown_host: a phrase without a full stop. It is the reason phrase of ` +
			`HTTP status 421: the request reached a server that it is not for.`,
		Other: "Misdirected request",
	},
}
