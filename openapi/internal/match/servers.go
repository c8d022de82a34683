package match

import (
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Servers are the servers of a document in a version.
type Servers struct {
	List   openapi3.Servers
	Bases  []string // the paths of their URLs, "" for the root
	InPath bool     // a path contains the version
	InHost bool     // a host contains the version
}

// Servers returns servers with the version in their URLs, if these have a place for
// it: a variable, or another version. move replaces the version in a host; it
// returns "" for a host without one.
func (r *Routes) Servers(list openapi3.Servers, move func(host string) string) (s Servers) {
	for _, given := range list {
		if given == nil {
			continue
		}
		server := *given
		scheme, host, path := splitURL(given.URL)
		segments, expanded := Segments(path), Segments(expand(path, given.Variables))
		inPath := r.writePath(segments, given.Variables)
		if !inPath && r.writePath(expanded, nil) { // the version is a part of a variable
			inPath, segments = true, expanded
		}
		s.InPath = s.InPath || inPath
		if moved := move(expand(host, given.Variables)); moved != "" {
			host, s.InHost = moved, true
		}
		if path != "" {
			path = "/" + strings.Join(segments, "/")
		}
		server.URL = scheme + host + path
		server.Variables = maps.Clone(given.Variables)
		maps.DeleteFunc(server.Variables, func(name string, _ *openapi3.ServerVariable) bool {
			return !strings.Contains(server.URL, "{"+name+"}")
		})
		if !slices.ContainsFunc(s.List, func(s *openapi3.Server) bool { return s.URL == server.URL }) {
			s.List = append(s.List, &server)
			s.Bases = append(s.Bases, strings.TrimSuffix(expand(path, given.Variables), "/"))
		}
	}
	return s
}

// ServersOf returns the servers of an operation: its own, those of its path, or those
// of the document.
func ServersOf(document *openapi3.T, item *openapi3.PathItem, operation *openapi3.Operation) openapi3.Servers {
	switch {
	case operation.Servers != nil:
		return *operation.Servers
	case len(item.Servers) > 0:
		return item.Servers
	}
	return document.Servers
}

// splitURL splits the URL of a server, which may be relative and have variables.
func splitURL(url string) (scheme, host, path string) {
	start := strings.Index(url, "://")
	if start < 0 {
		return "", "", url
	}
	start += len("://")
	end := len(url)
	if slash := strings.IndexByte(url[start:], '/'); slash >= 0 {
		end = start + slash
	}
	return url[:start], url[start:end], url[end:]
}

// expand replaces the variables in text with their defaults.
func expand(text string, variables openapi3.ServerVariables) string {
	for name, variable := range variables {
		if variable != nil {
			text = strings.ReplaceAll(text, "{"+name+"}", variable.Default)
		}
	}
	return text
}

// writePath writes the version into the first segment with a place for it.
func (r *Routes) writePath(segments []string, variables openapi3.ServerVariables) bool {
	for i, segment := range segments {
		for _, template := range r.Segments {
			if r.isPlace(segment, template, variables) {
				segments[i] = r.write(template)
				return true
			}
		}
	}
	return false
}

// isPlace reports whether a segment has a version, or a variable for one, where the
// template has it.
func (r *Routes) isPlace(segment, template string, variables openapi3.ServerVariables) bool {
	before, after, _ := strings.Cut(template, placeholder)
	text, ok := strings.CutPrefix(segment, before)
	if ok {
		text, ok = strings.CutSuffix(text, after)
	}
	if !ok {
		return false
	}
	name, isVariable := strings.CutPrefix(text, "{")
	if !isVariable {
		return r.IsVersion(text)
	}
	name = strings.TrimSuffix(name, "}")
	return r.Names(name) || variables[name] != nil && r.IsVersion(variables[name].Default)
}
