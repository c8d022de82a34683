package openapitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi"
	"github.com/goverso/verso/openapi/internal/draft/differ"
	"github.com/goverso/verso/openapi/internal/draft/document"
)

func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write the known differences of openapitest.Published")
	}
}

// A Converter makes the values of older versions, and the newest ones, such as the History of package migrate.
type Converter interface {
	LowerJSON(v verso.Version, t reflect.Type, raw []byte) ([]byte, error)
	LiftJSON(v verso.Version, t reflect.Type, raw []byte) ([]byte, error)
}

// A Value is a schema among the components of both the newest and a published document, and its Go type.
type Value struct {
	Component         string
	Type              reflect.Type
	Request, Response bool // it is in requests, in responses
}

// A Publication is a service whose older versions were published as documents.
type Publication struct {
	Newest     string // the file of the newest document, also with the operations of older versions
	Service    *verso.Explanation
	Converter  Converter
	Version    string
	Published  string   // the file of the document of Version
	Values     []Value  // random values of these are converted
	Parameters []string // parameters with the version, besides the parameter of the source
	Known      string   // the file of known differences
}

// Published makes the document of a version ([openapi.ForVersion]), and compares it with the published one. It fails
// the test if a difference is not in the file of known differences, or if a known one is gone: go test -update writes
// the file. Published ignores texts, names of components and path parameters, unused components, the responses to
// rejected requests, and the version's own parameter.
//
// It then sends random values of the newest schemas down, and of the published ones up, and logs how many fit the
// schemas of the other version.
func Published(tb testing.TB, p Publication) {
	tb.Helper()
	published, err := document.Load(p.Published)
	if err != nil {
		tb.Fatalf("openapitest: %v", err)
	}
	raw, err := os.ReadFile(p.Newest)
	if err != nil {
		tb.Fatalf("openapitest: %v", err)
	}
	newest, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		tb.Fatalf("openapitest: %s: %v", p.Newest, err)
	}
	newest.Servers = nil
	made, err := openapi.ForVersion(newest, p.Service, p.Version)
	switch {
	case made == nil:
		tb.Fatalf("openapitest: the document of version %q: %v", p.Version, err)
	case err != nil:
		tb.Logf("openapitest: %v", err) // the publisher's mistake, which the document shares
	}
	text, err := made.MarshalJSON()
	if err != nil {
		tb.Fatalf("openapitest: %v", err)
	}
	decoded, err := document.Read(p.Newest, text)
	if err != nil {
		tb.Fatalf("openapitest: %v", err)
	}
	p.compare(tb, differ.Differences(published, decoded, p.isOwn))
	if p.Converter != nil {
		p.convert(tb, published, newest, raw)
	}
}

// rejections are the statuses that Verso answers itself, which ForVersion adds.
var rejections = []string{" 400", " 404", " 406", " 410", " 415"}

// isOwn reports whether a place is of the version itself.
func (p Publication) isOwn(place string) bool {
	for _, name := range append(slices.Clone(p.Parameters), "X-Version") {
		if strings.HasSuffix(strings.ToLower(place), " "+strings.ToLower(name)) {
			return true
		}
	}
	for _, status := range rejections {
		if strings.Contains(place+" ", status+" ") {
			return true
		}
	}
	return false
}

func (p Publication) compare(tb testing.TB, found []string) {
	tb.Helper()
	raw, err := os.ReadFile(p.Known)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tb.Fatalf("openapitest: %v", err)
	}
	if flag.Lookup("update").Value.String() == "true" {
		err := os.MkdirAll(filepath.Dir(p.Known), 0o755)
		if err == nil {
			err = os.WriteFile(p.Known, []byte(strings.Join(append(found, ""), "\n")), 0o644)
		}
		if err != nil {
			tb.Fatalf("openapitest: %v", err)
		}
		tb.Logf("openapitest: version %q: %d differences are known", p.Version, len(found))
		return
	}
	known := strings.Split(string(bytes.TrimSpace(raw)), "\n")
	for _, one := range found {
		if !slices.Contains(known, one) {
			tb.Errorf("openapitest: version %q: %s", p.Version, one)
		}
	}
	for _, one := range known {
		if one != "" && !slices.Contains(found, one) {
			tb.Errorf("openapitest: version %q: a known difference is gone, so write %s again with -update: %s",
				p.Version, p.Known, one)
		}
	}
}

// each is the number of values for a schema.
const each = 30

// convert sends random values down and up.
func (p Publication) convert(tb testing.TB, published *document.Document, newest *openapi3.T, raw []byte) {
	tb.Helper()
	older, err := openapi3.NewLoader().LoadFromData([]byte(document.Compact(published.Root)))
	if err != nil {
		tb.Logf("openapitest: %s cannot be loaded, so no values are sent: %v", p.Published, err)
		return
	}
	latest, err := document.Read(p.Newest, raw)
	if err != nil {
		tb.Fatalf("openapitest: %v", err)
	}
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same values in each run
	var down, up tally
	for _, v := range p.Values {
		if v.Response {
			down.try(r, latest, newest, older, v, func(raw []byte) ([]byte, error) {
				return p.Converter.LowerJSON(verso.V(p.Version), v.Type, raw)
			})
		}
		if v.Request {
			up.try(r, published, older, newest, v, func(raw []byte) ([]byte, error) {
				return p.Converter.LiftJSON(verso.V(p.Version), v.Type, raw)
			})
		}
	}
	for _, misfit := range slices.Concat(down.misfits, up.misfits) {
		tb.Logf("openapitest: version %q: %s", p.Version, misfit)
	}
	tb.Logf("openapitest: version %q: %d of %d random values of responses fit the published schemas, and %d of %d "+
		"of requests fit the newest ones (%d could not be made)",
		p.Version, down.fit, down.sent, up.fit, up.sent, down.unmade+up.unmade)
}

// tally counts values.
type tally struct {
	sent, fit, unmade int
	misfits           []string // the first of each schema
}

func (t *tally) try(r *rand.Rand, from *document.Document, fromSchemas, toSchemas *openapi3.T, v Value,
	convert func([]byte) ([]byte, error)) {
	source, target := fromSchemas.Components.Schemas[v.Component], toSchemas.Components.Schemas[v.Component]
	if source == nil || target == nil {
		return
	}
	var why error
	for range each {
		raw, err := json.Marshal(differ.Value(r, from, document.Ref(v.Component)))
		var given any
		if err == nil {
			err = json.Unmarshal(raw, &given)
		}
		if err != nil || source.Value.VisitJSON(given) != nil {
			t.unmade++
			continue
		}
		t.sent++
		made, err := convert(raw)
		if err == nil {
			var value any
			if err = json.Unmarshal(made, &value); err == nil {
				err = target.Value.VisitJSON(value)
			}
		}
		if err == nil {
			t.fit++
		} else if why == nil {
			why = err
		}
	}
	if why != nil {
		t.misfits = append(t.misfits, v.Component+": "+strings.SplitN(why.Error(), "\n", 2)[0])
	}
}
