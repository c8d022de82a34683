package catalogue

import (
	"errors"
	"fmt"
)

// Error is one mistake in a configuration. The functions of this package return
// all mistakes that they find, joined by [errors.Join].
type Error struct {
	Code    Code
	Field   string // where it is, in the names of the JSON form: "versions[1].sunset"
	Message string // what is wrong and what to change
}

// Error returns the field, the message and the code.
func (e *Error) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("catalogue: %s (%s)", e.Message, e.Code)
	}
	return fmt.Sprintf("catalogue: %s: %s (%s)", e.Field, e.Message, e.Code)
}

// Is reports whether target is the code of e.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Code names a kind of mistake or warning. Codes are stable. An error that joins
// several mistakes matches each of their codes:
//
//	errors.Is(err, catalogue.CodeSunsetBeforeDeprecation)
type Code string

// Error returns the code itself. A Code is an error so that [errors.Is] takes it.
func (c Code) Error() string {
	return string(c)
}

// Mistakes in the list of versions.
const (
	CodeNoVersions         Code = "no_versions"          // there is no version
	CodeVersionEmpty       Code = "version_empty"        // a version has no text
	CodeVersionTwice       Code = "version_twice"        // two versions have the same text
	CodeVersionNotListable Code = "version_not_listable" // a version cannot be in a header field, see [Listable]
	CodeVersionBound       Code = "version_bound"        // more than [MaxVersions], or too long together for a header field
	CodeInstantBound       Code = "instant_bound"        // more than [MaxInstants]
	CodeOnlyPreview        Code = "only_preview"         // every version is a preview
)

// Mistakes in dates.
const (
	CodeDateMalformed            Code = "date_malformed"             // neither RFC 3339 nor a date alone
	CodeDateFraction             Code = "date_fraction"              // a fraction of a second (RFC 9651, section 3.3.7: an integer)
	CodeDateUnset                Code = "date_unset"                 // 1970-01-01T00:00:00Z or before: no date was set
	CodeDateRange                Code = "date_range"                 // after the year 9999 in GMT (RFC 9110, section 5.6.7)
	CodeSunsetBeforeDeprecation  Code = "sunset_before_deprecation"  // RFC 9745, section 4: the sunset MUST NOT be earlier
	CodeDeprecationBeforeRelease Code = "deprecation_before_release" // deprecated before it is released
	CodeSunsetBeforeRelease      Code = "sunset_before_release"      // ended before it is released
)

// Mistakes in a successor.
const (
	CodeSuccessorUnknown   Code = "successor_unknown"    // not a version of the catalogue
	CodeSuccessorSelf      Code = "successor_self"       // the version itself
	CodeSuccessorOlder     Code = "successor_older"      // listed before the version
	CodeSuccessorPreview   Code = "successor_preview"    // a preview
	CodeSuccessorGoneFirst Code = "successor_gone_first" // its sunset is earlier than the version's
)

// Mistakes in a [Link].
const (
	CodeLinkRelation Code = "link_relation" // not one relation type (RFC 8288, section 3.3)
	CodeLinkTarget   Code = "link_target"   // not a URI reference, or not to http, https or mailto
	CodeLinkType     Code = "link_type"     // not a media type without parameters
	CodeLinkTitle    Code = "link_title"    // a control character, or not UTF-8
	CodeLinkHreflang Code = "link_hreflang" // not a language tag
	CodeLinkBound    Code = "link_bound"    // more than [MaxLinks], or longer together than [MaxLinkBytes]
)

// Mistakes in a [Brownout].
const (
	CodeBrownoutWindow        Code = "brownout_window"         // no beginning, no end, or the end is not after the beginning
	CodeBrownoutOverlap       Code = "brownout_overlap"        // two windows of a version overlap
	CodeBrownoutNotDeprecated Code = "brownout_not_deprecated" // begins before the version is deprecated
	CodeBrownoutAfterSunset   Code = "brownout_after_sunset"   // ends after a sunset that ends the version
	CodeBrownoutStatus        Code = "brownout_status"         // not a status from 400 to 599
)

// Mistakes in what happens after a sunset, and in the names of header fields.
const (
	CodeAfterSunsetUnknown       Code = "after_sunset_unknown"        // not an [Action]
	CodeForwardNeedsServedHeader Code = "forward_needs_served_header" // [FallForward] without a field that tells the client
	CodeHeaderName               Code = "header_name"                 // not a field name (RFC 9110, section 5.1)
	CodeHeaderReserved           Code = "header_reserved"             // a field that has a meaning of its own
)

// Mistakes in a [RouteConfig]. Its dates and links have the codes above.
const (
	CodeSinceUnknown   Code = "since_unknown"   // not a version of the catalogue
	CodeRemovedUnknown Code = "removed_unknown" // not a version of the catalogue
	CodeRangeEmpty     Code = "range_empty"     // no version has the route
	CodeDispatchEmpty  Code = "dispatch_empty"  // no choice, or the first of them is a removal
	CodeDispatchTwice  Code = "dispatch_twice"  // two choices begin with the same version
)

// Mistakes in the JSON form.
const (
	CodeJSONMalformed  Code = "json_malformed"   // no JSON value, or not UTF-8
	CodeJSONType       Code = "json_type"        // a value of another type
	CodeJSONKeyUnknown Code = "json_key_unknown" // a key that is none of the form's
	CodeJSONKeyTwice   Code = "json_key_twice"   // a key that occurs twice in its object
)

// Warnings: see [Catalogue.Warnings].
const (
	CodeSunsetPassed             Code = "sunset_passed"              // the sunset passed and the version is still served
	CodeSunsetWithoutDeprecation Code = "sunset_without_deprecation" // a date of the end without a date of the deprecation
	CodeShortNotice              Code = "short_notice"               // less than 30 days from the deprecation to the sunset
	CodeNoWayForward             Code = "no_way_forward"             // neither a successor nor a link
	CodeNothingLeft              Code = "nothing_left"               // a time in which no version is served
	CodeReportLong               Code = "report_long"                // lists of more than 64 versions on every response
)

// mistakes collects what is wrong with a configuration.
type mistakes struct {
	errs []error
}

// add notes a mistake at a field.
func (m *mistakes) add(field string, code Code, format string, args ...any) {
	m.errs = append(m.errs, &Error{Code: code, Field: field, Message: fmt.Sprintf(format, args...)})
}

// err returns the mistakes, joined, or nil.
func (m *mistakes) err() error {
	return errors.Join(m.errs...)
}
