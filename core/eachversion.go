package verso

import "strings"

// Forms returns the paths under which EachVersion of an adapter registers a route: path
// itself for requests without a version, if there is a default, and then the path in
// each version. path is in the syntax of the router. The errors are [*Finding]s:
// each_without_prefix if no source is a [PathPrefix], prefix_outside for a path that is
// not under the template's fixed part, prefix_parameter for a path with a parameter in
// the place of the version.
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
				"the path %q is not under %q, which precedes the version: register it without EachVersion", path, p.fixed+"/")
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
