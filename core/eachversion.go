package verso

import (
	"fmt"
	"slices"
	"strings"
)

// Forms returns the paths under which an EachVersion of an adapter registers a route
// that a service gives one path: that path for requests without a version, if there
// is a default, and behind it the path in each version. path is in the syntax of the
// router. The errors are [*Finding]s: each_without_prefix when no source is a
// [PathPrefix], prefix_outside for a path that is not under the template's fixed part,
// prefix_parameter for one that has a parameter in the place of the version.
func (b *Binding) Forms(path string) (forms []string, err error) {
	p := b.api.prefix
	if p == nil {
		return nil, mistake("each_without_prefix", "Routes", "EachVersion needs a source that is a PathPrefix: use one, or register the route without EachVersion")
	}
	if !b.api.config.DefaultVersion.IsNone() {
		forms = append(forms, path)
	}
	for _, version := range b.served.Versions() {
		form, ok := p.in(version, path)
		if !ok {
			return nil, mistake("prefix_outside", "Routes",
				"the path %q is not under %q, behind which the version has its place: register it without EachVersion", path, p.fixed+"/")
		}
		forms = append(forms, form)
	}
	place, _, _ := strings.Cut(strings.TrimPrefix(path, p.fixed+"/"), "/")
	if strings.ContainsAny(place, ":*{+") && !strings.Contains(place, `\:`) && place != "{$}" {
		return nil, mistake("prefix_parameter", "Routes",
			"the path %q has the parameter %q where %q has the version, and routers do not agree which of the two they prefer: put fixed text before the parameter",
			path, place, forms[len(forms)-1])
	}
	return forms, nil
}

// addPrefixFindings adds possible mistakes in the routes under a path prefix.
func (e *Explanation) addPrefixFindings(b *Binding) {
	p := b.api.prefix
	if p == nil {
		return
	}
	var outside, unknown, unlisted []string
	under, twins := make(map[string]bool), make(map[string]bool)
	routes := slices.Collect(b.versioned())
	for _, r := range routes {
		if b.served.set.lookup(r.Space) != nil && r.Space != "" {
			under[r.Space], twins[r.Twin] = true, true
		}
	}
	for _, r := range routes {
		text, segment, ok := p.split(&r.Pattern)
		switch {
		case r.Space != "":
			if !under[r.Space] {
				unknown = append(unknown, r.Pattern.String())
			}
		case ok && twins[p.twin(&r.Pattern, segment)]:
			unlisted = append(unlisted, fmt.Sprintf("%s (%s)", r.Pattern, text))
		case r.Twin == "":
			outside = append(outside, r.Pattern.String())
		}
	}
	warn := func(code string, patterns []string, format string) {
		if len(patterns) > 0 {
			e.add(code, format, quotedList(patterns))
		}
	}
	warn("prefix_unknown_version", unknown, "under %s there is no version that is served, so each request is rejected: list the version, or correct the pattern")
	warn("prefix_unlisted", unlisted, "%s looks like a version, and is not listed: a request is "+b.withoutPlace(Nowhere)+": list the version before you register its routes")
	warn("prefix_outside", outside, "%s is not under the path prefix, where a request is "+b.withoutPlace(Nowhere)+": make it Neutral, or register it with the framework")
	for _, version := range b.served.Versions() {
		if !under[version] && len(routes) > 0 && !b.isDefault(version) {
			e.add("prefix_empty", "no route is under %q, the prefix of version %q: register its routes, or remove the version from the list",
				p.fixed+"/"+p.before+version+p.behind, version)
		}
	}
}
