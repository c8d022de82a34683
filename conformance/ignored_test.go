package conformance_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
)

// TestIgnoredFields has mounts ignore one field each. A check must fail, and name the field.
func TestIgnoredFields(t *testing.T) {
	conformance.Quiet(t)
	checks := map[string]string{
		"App.RewriteErrors": "rewrite/written-inside", "App.RewriteErrorsUnused": "rewrite/errors-not-installed", "App.Around": "rewrite/written-outside", "App.ErrorHandler": "error-handler/rejected",
		"Group.Rewriter": "rewrite/places", "Group.Scope": "scopes/groups", "Group.Unused": "groups/overlooked/unused-options",
		"App.Mounts": "mount/middleware", "App.TLS": "links/https/base", "App.Outer": "fields/outer", "App.NotFound": "not-found/header",
		"App.ExemptFromSunset": "kept/gone", "App.Skipper": "middleware/skipped", "App.Client": "surface/client", "App.Middleware": "middleware/foreign/plain", "App.Before": "surface/set-version/path",
		"App.Between": "decisions/rewritten/plain", "App.After": "decisions/set-after/plain", "App.Other": "decisions/set-other/plain", "App.InContext": "groups/context",
		"Route.Methods": "surface/several-methods", "Route.Host": "hosts/routes", "Route.Namespace": "determine/namespace/api-v2/x-default", "Route.Name": "links/url_path",
		"Route.Group": "groups/middleware", "Route.Middleware": "groups/middleware", "Route.Outside": "registered/outside/unknown", "Route.Foreign": "surface/explain-foreign",
		"Route.EachVersion": "prefix/once/listed", "Route.Options": "routes/since/earlier", "Route.Handlers": "groups/middleware",
		"Group.Prefix": "groups/middleware", "Group.Middleware": "groups/middleware", "Group.EachVersion": "groups/each", "Group.Namespace": "groups/names",
		"Group.Options": "groups/options", "Group.Since": "groups/options", "Group.RemovedIn": "groups/options", "Group.Neutral": "groups/options", "Group.AfterCheck": "groups/middleware",
		"Mounted.Group": "mount/middleware", "Mounted.Versions": "mount/middleware", "MountedVersion.Middleware": "mount/middleware", "MountedVersion.Routes": "mount/middleware",
	}
	for _, field := range conformance.Fields() {
		if checks[field] == "" && field != "Group.In" { // which no mount can ignore
			t.Errorf("no check fails for a mount that ignores %s", field)
		}
	}
	for field, check := range checks {
		t.Run(field, func(t *testing.T) {
			err := conformance.CheckSubtest(t, func(tb testing.TB, app conformance.App) *conformance.Server {
				tb.Helper()
				return mountReference(tb, without(reflect.ValueOf(app), field).Interface().(conformance.App))
			}, check)
			if err == nil || !strings.Contains(err.Error(), field) {
				t.Errorf("%s: %v", check, err)
			}
		})
	}
}

// without returns a copy of a value of the suite without a field, "Type.Field".
func without(value reflect.Value, field string) reflect.Value {
	changed := reflect.New(value.Type()).Elem()
	changed.Set(value)
	switch of := value.Type(); value.Kind() {
	case reflect.Slice:
		if value.IsNil() { // which is not the same as empty
			return value
		}
		changed.Set(reflect.MakeSlice(of, value.Len(), value.Len()))
		for i := range value.Len() {
			changed.Index(i).Set(without(value.Index(i), field))
		}
	case reflect.Map:
		if of.Elem().Kind() == reflect.Pointer && !value.IsNil() {
			changed.Set(reflect.MakeMap(of))
			for _, key := range value.MapKeys() {
				changed.SetMapIndex(key, without(value.MapIndex(key), field))
			}
		}
	case reflect.Pointer:
		if strings.HasSuffix(of.Elem().PkgPath(), "verso/conformance") && !value.IsNil() {
			changed.Set(reflect.New(of.Elem()))
			changed.Elem().Set(without(value.Elem(), field))
		}
	case reflect.Struct:
		for i := range of.NumField() {
			switch name := of.Name() + "." + of.Field(i).Name; {
			case !of.Field(i).IsExported():
			case name == field:
				changed.Field(i).SetZero()
			case of.PkgPath() == reflect.TypeFor[conformance.App]().PkgPath():
				changed.Field(i).Set(without(value.Field(i), field))
			}
		}
	}
	return changed
}

// TestUnsetFunctions has mounts leave out a function each.
func TestUnsetFunctions(t *testing.T) {
	conformance.Quiet(t)
	for name, test := range map[string]struct {
		broken mutation
		check  string
	}{
		"Step.SetMethod":   {mutation{step: func(s *conformance.Step) { s.SetMethod = func(string) {} }}, "middleware/overridden/once"},
		"Call.AtLeast":     {mutation{called: func(c *conformance.Call) { c.AtLeast = nil }}, "surface/at-least"},
		"Call.ContentType": {mutation{called: func(c *conformance.Call) { c.ContentType = nil }}, "surface/content-type"},
		"Call.Query":       {mutation{called: func(c *conformance.Call) { c.Query = nil }}, "rewrite/places"},
		"Call.Param":       {mutation{called: func(c *conformance.Call) { c.Param = nil }}, "groups/middleware"},
		"Call.Link":        {mutation{called: func(c *conformance.Call) { c.Link = nil }}, "links/url_path"},
		"Server.Link":      {mutation{server: func(_ *reference, s *conformance.Server) { s.Link = nil }}, "groups/names"},
		"Server.Explain":   {mutation{server: func(_ *reference, s *conformance.Server) { s.Explain = nil }}, "surface/explain"},
		"Server.Add":       {mutation{server: func(_ *reference, s *conformance.Server) { s.Add = nil }}, "surface/added-later"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := conformance.CheckSubtest(t, mounting(test.broken), test.check); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", test.check, err)
			}
		})
	}
}
