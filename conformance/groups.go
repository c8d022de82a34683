package conformance

import (
	"slices"
	"strings"
	"testing"
)

// group is a set of checks.
type group struct {
	name   string
	checks []check
}

// groups returns all groups. The cases of a file belong to the group of
// the same name, if there is one. The order goes from simple to strange: the first failure is
// then the one to mend first.
func groups(cases []Case, added ...*wrapping) []group {
	all := []group{
		{name: "cases"},
		{"routes", append(groupChecks("routes", mistakes), check{"random", checkRandom})},
		{"links", linkChecks()},
		{name: "fields"},
		{name: "caching"},
		{name: "hostile"},
		{name: "strictness"},
		{"groups", append(groupChecks("groups", slices.Concat(groupings, contexts, groupMistakes, oversights)),
			check{"context-ends", checkContextEnds})},
		{"in", groupChecks("in", ins)},
		{"scopes", groupChecks("scopes", scopes)},
		{"mount", groupChecks("mount", append(slices.Concat(mountings, mountMistakes), clientsOfMounts))},
		{"surface", append(groupChecks("surface", append(slices.Concat(surface, settingVersions()), clientsOfRoutes)),
			check{"head-allowed", checkHeadAllowed})},
		{"error-handler", groupChecks("error-handler", errorHandlers)},
		{"hosts", groupChecks("hosts", hosts)},
		{"not-found", groupChecks("not-found", notFound)},
		{"unmatched", groupChecks("unmatched", unmatched)},
		{"observe", observeChecks()},
		{"pass-on", append(groupChecks("pass-on", passings), check{"incomparable", checkIncomparable})},
		{"decisions", decisionChecks(decisions, false)},
		{"middleware", append(groupChecks("middleware", foreignRoutes),
			decisionChecks(append(slices.Clone(decisions), decisionsBehind...), true)...)},
		{"concurrent", concurrentChecks(cases)},
		{"faults", faultChecks()},
		{"rewrite", rewriteChecks(added)},
	}
	for _, c := range cases {
		if c.Level != "http" || c.group == "concurrent" {
			continue
		}
		to := &all[0]
		switch c.group {
		case "routes", "fields", "caching", "hostile", "strictness":
			to = &all[slices.IndexFunc(all, func(g group) bool { return g.name == c.group })]
		}
		to.checks = append(to.checks, check{strings.TrimPrefix(c.ID, to.name+"/"),
			func(tb testing.TB, mount Mount) error {
				tb.Helper()
				return Check(tb, mount, c)
			}})
	}
	return all
}

// rewriteChecks send requests to routes that rewrite.
func rewriteChecks(added []*wrapping) []check {
	return slices.Concat(wrappedChecks(added),
		groupChecks("rewrite", slices.Concat(rewritings, rewriteMistakes, rewriteOversights)), []check{
			{"written-once", checkWrittenOnce},
			{"recovers", checkRecovers},
			{"error-passed-on", checkErrorPassedOn},
			{"failed-fields", checkFailedFields},
			{"request-fields", checkRequestFields},
			{"hijacked", checkHijacked},
			{"dropped", checkDropped},
			{"read-before/query", checkReadBefore(false)},
			{"read-before/form", checkReadBefore(true)},
			{"spellings", checkSpellings},
			{"rewriter-panics/outside", rewriterPanics(false)},
			{"rewriter-panics/inside", rewriterPanics(true)},
		})
}

// faultChecks inject faults into the code of an application (handlers, a source, an
// origin, a translator) and make clients disconnect in the middle of a request. A
// request that cannot be answered must fail with status 500 or a broken connection:
// it must not hang, reach the handler without a version, or seem to succeed, and the
// client must not see the error. The next requests to the same server must be
// answered correctly, and no goroutine may remain.
func faultChecks() (checks []check) {
	for _, f := range faults {
		checks = append(checks, check{f.name, f.check})
	}
	checks = append(checks, check{"handler/panics-behind-fields", checkFields(true)},
		check{"handler/fails-behind-fields", checkFields(false)}, check{"source/logged", checkErrorLog})
	for _, d := range disconnects {
		checks = append(checks, check{d.name, d.check})
	}
	return checks
}
