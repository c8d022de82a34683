package conformance

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// trial is an application under test, and what it has told.
type trial struct {
	*Server
	told      witness
	log       logged
	late      map[string]Route
	explained []string
}

// check mounts the application once and sends all lines of its sheet to it, in their order.
func (g *groupCheck) check(tb testing.TB, mount Mount, s *sheet) (err error) {
	tb.Helper()
	t := trial{late: make(map[string]Route)}
	app, config := g.app, g.config
	config.Logger = slog.New(&t.log)
	if s.has("OBSERVED") || s.has("CLIENT") {
		config.Observe = t.told.observe
	}
	app.API = verso.MustNew(g.source, config)
	// Frameworks differ in what they can register at all. REFUSED is for mistakes that all must
	// find, REFUSABLE for the rest. The text of a framework's own panic does not lead to a MISTAKE.
	if first := s.lines[0].text; first == "REFUSABLE" || first == "REFUSED" || first == "MISTAKE" {
		defer func() {
			panicked := recover()
			said, _ := panicked.(error)
			if panicked != nil && (errors.As(said, new(*verso.Finding)) || first != "MISTAKE") {
				err = nil
			} else if panicked != nil {
				err = fmt.Errorf("the registration panics with %v, which is not a *verso.Finding\nrule: %s", panicked, s.rule)
			}
		}()
	}
	// A route added while the server runs has to be checked like the first ones: routers that copy
	// their routes at the start would miss it.
	app.Routes = slices.DeleteFunc(slices.Clone(app.Routes), func(r Route) bool {
		name := r.Method + " " + r.Pattern
		isLate := s.has("LATER " + name)
		if isLate {
			t.late[name] = r
		}
		return isLate
	})
	t.Server = mount(tb, app)
	var wrong complaints
	for _, l := range s.lines {
		if err = t.line(l.text); err != nil {
			wrong = append(wrong, fmt.Errorf("%w (%s)", err, l.at))
		}
		// Each further line would wait for its timeout as well.
		if errors.Is(err, errHangs) {
			break
		}
	}
	for _, code := range t.log.warned() {
		wrong.unless(s.has("WARNED "+code) || slices.Contains(called, code),
			"the log has the warning %s without a reason", code)
	}
	if t.explained != nil {
		wrong = append(wrong, t.checkExplain(t.explained))
	}
	wrong = append(wrong, t.stop())
	if err := wrong.join(); err != nil {
		return fmt.Errorf("%w\nrule: %s", err, s.rule)
	}
	return nil
}

// called are the warnings that applications of the suite call for.
var called = []string{"at_least_unknown", "at_least_unversioned", "client_not_set", "errors_not_rewritten",
	"not_rewritten", "option_unused", "prefix_outside", "stored_behind_middleware"}

// needs are the fields of a Server that lines of a sheet need.
var needs = map[string]string{"LINK": "Link", "ROUTE": "Explain", "FINDINGS": "Explain", "PROBLEMS": "Explain",
	"LATER": "Add"}

// line tries a line of a sheet.
func (t *trial) line(text string) error {
	name, want, _ := strings.Cut(text, ": ")
	kind, name, _ := strings.Cut(name, " ")
	// Without this the check would panic in the suite, and an author of an adapter would look for
	// the fault there.
	if f := reflect.ValueOf(*t.Server).FieldByName(needs[kind]); f.IsValid() && f.IsNil() {
		return fmt.Errorf("the mount does not set Server.%s to that of the adapter", needs[kind])
	}
	switch kind {
	case "REFUSABLE":
		return nil
	case "REFUSED", "MISTAKE":
		return errors.New("the registration of the routes does not panic")
	case "LINK":
		return t.checkLink(name, want)
	case "ROUTE":
		t.explained = append(t.explained, name)
		return nil
	case "LATER":
		t.Add(t.late[name])
		return nil
	case "FINDINGS":
		return t.checkFindings(strings.Fields(name))
	case "PROBLEMS":
		return t.checkProblemType(name)
	case "OBSERVED", "CLIENT":
		return t.told.check(kind, name)
	case "LOGGED", "WARNED":
		return t.log.check(kind, name)
	}
	t.told.clear()
	t.log.clear()
	return checkRan(t.Address, text)
}

// checkLink checks the link to a name in a version, or its error, by the name of linkErrors.
// Jobs and mails build links without a request, so they must not depend on one.
func (s *Server) checkLink(of, want string) error {
	name, version, _ := strings.Cut(of, " ")
	got, err := s.Link(verso.Target{Name: name, Version: verso.V(version), Params: verso.Params{"id": 7}})
	if err != nil {
		got = errorName(err)
	}
	if got != want {
		return fmt.Errorf("outside a request, the link to %s is %q instead of %q: %s", of, got, want, fmt.Sprint(err))
	}
	return nil
}

// checkExplain checks which routes Explain lists. Tests of services and the frozen contract
// read this list: a route that it lacks is checked by nothing.
func (s *Server) checkExplain(want []string) error {
	var got []string
	for _, route := range s.Explain().Routes {
		got = append(got, explainedRoute(&route))
		if route.Forms != nil && !slices.Contains(route.Forms, route.Pattern) &&
			!strings.Contains(route.Pattern, "{version}") {
			return fmt.Errorf("the route of Explain is %q, which is not among its paths %q", route.Pattern, route.Forms)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		return fmt.Errorf("the routes of Explain are %q instead of %q", got, want)
	}
	return nil
}

// overlookable are the findings of Explain that say what an author may have overlooked. Others
// depend on the framework, and on the configuration that all applications share.
var overlookable = []string{"option_unused", "errors_not_rewritten", "middleware_unused"}

// checkFindings checks which of these findings Explain has.
func (s *Server) checkFindings(want []string) error {
	var found []string
	for _, f := range s.Explain().Findings {
		if slices.Contains(overlookable, f.Code) {
			found = append(found, f.Code)
		}
		if f.Code == "option_unused" && !strings.Contains(f.Message, "group") { // the file that calls it
			return fmt.Errorf("the finding %q does not name the place where the service calls the adapter", f.Message)
		}
	}
	if !slices.Equal(found, want) {
		return fmt.Errorf("the findings of Explain are %q instead of %q", found, want)
	}
	return nil
}

// checkProblemType checks that Explain has the media type of a rejection. It has none if an error
// handler of the service answers, and without a request it must have none.
func (s *Server) checkProblemType(ask string) error {
	said, is := s.Explain().ProblemType, ""
	if ask != "" && said != "" {
		got, err := parseAsking(ask).request.send(s.Address)
		if err != nil {
			return err
		}
		is = got.header.Get("Content-Type")
	}
	if said != is {
		return fmt.Errorf("by Explain, the answers to rejected requests are %q instead of %q", said, is)
	}
	return nil
}

// explainedRoute returns the method, the host, the path and the name of a route, and its
// other properties.
func explainedRoute(r *verso.RouteInfo) string {
	said := []string{r.Method, r.Host, r.Path, r.Name}
	if r.Neutral {
		said = append(said, "neutral")
	}
	if r.Unchecked {
		said = append(said, "unchecked")
	}
	if r.Versions != nil {
		said = append(said, fmt.Sprint(r.Versions))
	}
	return strings.Join(slices.DeleteFunc(said, func(text string) bool { return text == "" }), " ")
}

// groupChecks returns the checks of a group, which has a sheet for each. A sheet without a
// check, or a check without a sheet, is found by the tests of this package.
func groupChecks(group string, of []groupCheck) (checks []check) {
	all := sheets(group)
	for _, g := range of {
		checks = append(checks, check{g.name, func(tb testing.TB, mount Mount) error {
			tb.Helper()
			return g.check(tb, mount, all[g.name])
		}})
	}
	return checks
}
