package contract_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/examples/contract"
)

// whole is the document of all versions.
const whole = `
openapi: 3.0.3
info: {title: Bookings, version: all}
paths:
  /rooms:
    get:
      parameters: [{name: size, in: query, schema: {type: integer}}]
      responses: {"200": {description: The rooms., content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewRoom'}}}}
      responses: {"201": {description: The room exists.}}
  /report: {get: {responses: {"200": {description: A report.}}}}
components:
  schemas:
    Room: {type: object, required: [name], properties: {name: {type: string}, beds: {type: integer}}}
    NewRoom: {type: object, properties: {name: {type: string}}}
`

func load(t *testing.T, replace ...string) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData([]byte(strings.NewReplacer(replace...).Replace(whole)))
	require.NoError(t, err)
	return document
}

// today is the time of all services here.
var today = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// service is a service in which the report may have options.
type service struct {
	source   source.Source     // nil: the path
	report   verso.RouteOption // nil: none
	versions []catalogue.Entry // nil: v1 and v2
}

// explain returns what Explain of an adapter returns.
func (s service) explain(t *testing.T) *verso.Explanation {
	t.Helper()
	prefix := ""
	if s.source == nil {
		s.source, prefix = verso.PathParam("version"), "/{version}"
	}
	if s.versions == nil {
		s.versions = []catalogue.Entry{{Version: "v1"}, {Version: "v2"}}
	}
	v := adapter.Bind(verso.MustNew(s.source, verso.Config{
		Clock:     func() time.Time { return today },
		Logger:    slog.New(slog.DiscardHandler),
		Catalogue: catalogue.MustNew(catalogue.Config{Versions: s.versions}),
	}), nil)
	for _, text := range []string{"GET /rooms", "POST /rooms", "GET /report"} {
		method, path, _ := strings.Cut(text, " ")
		var options []verso.RouteOption
		if path == "/report" && s.report != nil {
			options = append(options, s.report)
		}
		verso.Must(v.Add(route.Route{Method: method, Path: prefix + path, Pattern: route.Braces(prefix + path)}, options...))
	}
	return v.Explain()
}

// recorder records the failures of a test.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper()           {}
func (r *recorder) Error(args ...any) { r.failures = append(r.failures, fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// frozen returns a folder with the contracts of v1 and v2.
func frozen(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "made", "here")
	t.Setenv("VERSO_UPDATE", "1")
	contract.Frozen(t, load(t), service{}.explain(t), folder)
	t.Setenv("VERSO_UPDATE", "")
	return folder
}

func TestFrozen(t *testing.T) {
	folder := frozen(t)
	for name, test := range map[string]struct {
		document []string // replaced in whole
		service  service
		want     []string // parts of the failures
	}{
		"nothing changed":                 {},
		"a member of a response is added": {document: []string{"beds: {type: integer}", "beds: {type: integer}, view: {type: string}"}},
		"a member of a response is removed": {
			document: []string{", beds: {type: integer}", ""},
			want:     []string{"version v1: GET /v1/rooms: removed the optional property", "version v2: GET /v2/rooms: removed the optional property"},
		},
		"a required member becomes optional":   {document: []string{"required: [name], ", ""}, want: []string{"version v1: GET /v1/rooms", "version v2: GET /v2/rooms"}},
		"a member of a request is required":    {document: []string{"NewRoom: {type: object,", "NewRoom: {type: object, required: [name],"}, want: []string{"version v1: POST /v1/rooms", "version v2: POST /v2/rooms"}},
		"a parameter accepts less":             {document: []string{"in: query, schema: {type: integer}", "in: query, schema: {type: string, maxLength: 3}"}, want: []string{"version v1: GET /v1/rooms", "version v2: GET /v2/rooms"}},
		"a version loses a route":              {service: service{report: verso.RemovedIn("v2")}, want: []string{"version v2: GET /v2/report"}},
		"an older version loses a route":       {service: service{report: verso.Since("v2")}, want: []string{"version v1: GET /v1/report"}},
		"a version is deprecated, and ends":    {service: service{versions: []catalogue.Entry{{Version: "v1", Deprecated: today.AddDate(0, -1, 0), Sunset: today.AddDate(1, 0, 0)}, {Version: "v2"}}}},
		"a version is deprecated, without end": {service: service{versions: []catalogue.Entry{{Version: "v1", Deprecated: today.AddDate(0, -1, 0)}, {Version: "v2"}}}},
		"a new version":                        {service: service{versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2"}, {Version: "v3"}}}, want: []string{"v3.json is missing: VERSO_UPDATE=1 go test writes it"}},
		"another source":                       {service: service{source: verso.Header("Api-Version")}, want: []string{"version v1: GET /v1/report", "version v1: GET /v1/rooms", "version v1: POST /v1/rooms", "version v2: GET /v2/report", "version v2: GET /v2/rooms", "version v2: POST /v2/rooms"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{TB: t}
			contract.Frozen(r, load(t, test.document...), test.service.explain(t), folder)
			require.Len(t, r.failures, len(test.want), r.failures)
			for i, want := range test.want {
				assert.Contains(t, r.failures[i], want)
			}
		})
	}
}

// VERSO_UPDATE=1 writes the contract of a new version and what was added, never a change
// that breaks a client.
func TestFrozenUpdates(t *testing.T) {
	folder := frozen(t)
	t.Setenv("VERSO_UPDATE", "1")
	v1 := filepath.Join(folder, "v1.json")
	before, err := os.ReadFile(v1)
	require.NoError(t, err)

	r := &recorder{TB: t}
	three := service{versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2"}, {Version: "v3"}}}.explain(t)
	contract.Frozen(r, load(t, ", beds: {type: integer}", ""), three, folder)
	assert.Len(t, r.failures, 2, "v1 and v2")
	after, err := os.ReadFile(v1)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
	assert.FileExists(t, filepath.Join(folder, "v3.json"))

	contract.Frozen(t, load(t, "name: {type: string}, beds", "name: {type: string}, view: {type: string}, beds"), service{}.explain(t), folder)
	after, err = os.ReadFile(v1)
	require.NoError(t, err)
	assert.Contains(t, string(after), "view")
}
