package conformance

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// RoundTrip follows links: for random routes, arguments and versions, the URL
// that a handler reverses must, when it is requested, lead to the same route
// with the same arguments and the same version. It does so in the schemes whose
// URLs carry the version, each in a subtest. The seed is in the log; the
// environment variable VERSO_SEED sets it.
//
// The mounted handlers must set [Call.Param]. A parameter for the rest of the
// path is called "rest"; a framework that has another name for it takes it for
// that one in Param and Reverse.
func RoundTrip(t *testing.T, mount Mount) {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("VERSO_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("VERSO_SEED=%d", seed)
	for scheme, anyText := range map[string]func(*rand.Rand) string{
		"url_path":        randomSegment,
		"namespace":       randomLabel,
		"query_parameter": randomText,
		"hostname":        randomLabel,
	} {
		t.Run(scheme, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			for range 100 {
				trip, err := newTrip(random, scheme, anyText(random))
				if err != nil {
					t.Fatal(err)
				}
				if err := trip.run(t, mount); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// trip is one link to a random route, followed from /start, where there is no
// version, over /here, in the version, to the route.
type trip struct {
	scheme  verso.Scheme
	version verso.Version
	prefix  string // of the versioned routes
	pattern string
	kwargs  verso.Kwargs
}

func newTrip(random *rand.Rand, schemeName, version string) (*trip, error) {
	scheme, err := settings{}.newScheme(schemeName)
	trip := &trip{scheme: scheme, version: verso.V(version), kwargs: make(verso.Kwargs)}
	switch schemeName {
	case "url_path":
		trip.prefix = "/{version}"
	case "namespace":
		trip.prefix = "/" + url.PathEscape(version)
	}
	trip.pattern = "/target"
	for i := range random.IntN(4) {
		if random.IntN(2) == 0 {
			trip.pattern += "/fixed"
			continue
		}
		name := fmt.Sprintf("p%d", i)
		trip.pattern += "/{" + name + "}"
		trip.kwargs[name] = randomSegment(random)
	}
	if random.IntN(3) == 0 {
		trip.pattern += "/files/{rest*}"
		rest := randomSegment(random)
		var restSb91 strings.Builder
		for range random.IntN(3) {
			restSb91.WriteString("/" + randomSegment(random))
		}
		rest += restSb91.String()
		trip.kwargs["rest"] = rest
	}
	return trip, err
}

func (p *trip) run(tb testing.TB, mount Mount) error {
	tb.Helper()
	var link string // what the last handler reversed
	var failed error
	var arrived verso.Kwargs // the arguments that the target saw
	reverse := func(target verso.Target) func(http.ResponseWriter, *http.Request, Call) {
		return func(w http.ResponseWriter, _ *http.Request, call Call) {
			link, failed = call.Reverse(target)
			w.WriteHeader(http.StatusOK)
		}
	}
	namespace := ""
	if _, ok := p.scheme.(*verso.Namespace); ok {
		namespace = p.version.String()
	}
	arrive := func(w http.ResponseWriter, _ *http.Request, call Call) {
		if call.Version != p.version {
			failed = fmt.Errorf("the target saw version %#v", call.Version)
		}
		arrived = make(verso.Kwargs)
		for name := range p.kwargs {
			arrived[name] = call.Param(name)
		}
		w.WriteHeader(http.StatusOK)
	}
	handler := mount(tb, App{Scheme: p.scheme, Routes: []Route{
		{http.MethodGet, "", "start", "/start", reverse(verso.Target{Name: "here", Version: p.version})},
		{http.MethodGet, namespace, "here", p.prefix + "/here", reverse(verso.Target{Name: "target", Kwargs: p.kwargs})},
		{http.MethodGet, namespace, "target", p.prefix + p.pattern, arrive},
	}})

	at := "http://start.example.com/start"
	for range 3 {
		if err := visit(handler, at); err != nil || failed != nil {
			return p.failure(at, errors.Join(err, failed))
		}
		at = link
	}
	if !maps.Equal(arrived, p.kwargs) {
		return p.failure(at, fmt.Errorf("the target saw the arguments %q", arrived))
	}
	return nil
}

func (p *trip) failure(at string, err error) error {
	return fmt.Errorf("at %q: %w\npattern %q, arguments %q, version %#v", at, err, p.prefix+p.pattern, p.kwargs, p.version)
}

// visit requests an absolute URL from the handler.
func visit(handler http.Handler, rawURL string) error {
	u, err := url.Parse(rawURL)
	if err != nil {
		return err
	}
	got, err := exchange(handler, &request{Method: http.MethodGet, URLScheme: u.Scheme, Target: u.RequestURI(), Host: &u.Host})
	if err != nil {
		return err
	}
	if got.status != http.StatusOK {
		return fmt.Errorf("status %d, body %.200q", got.status, got.body)
	}
	return nil
}

// randomText returns text with the characters that URLs trip over.
func randomText(random *rand.Rand) string {
	const special = "%+;&=?#:@!$'()*,[]{}<>\"\\^`|~ ./-_%2F%41\x00\n\x7féж中😀\u202e"
	characters := []rune(special)
	var text strings.Builder
	for range 1 + random.IntN(8) {
		if random.IntN(2) == 0 {
			text.WriteRune(characters[random.IntN(len(characters))])
		} else {
			text.WriteString(randomLabel(random)[:1])
		}
	}
	return text.String()
}

// randomSegment returns text that can stand in a segment of a path.
func randomSegment(random *rand.Rand) string {
	text := strings.ReplaceAll(randomText(random), "/", "")
	if strings.Trim(text, ".") == "" {
		return "segment"
	}
	return text
}

// randomLabel returns text that can stand in a host name.
func randomLabel(random *rand.Rand) string {
	const characters = "abcxyzABCXYZ0189"
	label := make([]byte, 1+random.IntN(6))
	for i := range label {
		label[i] = characters[random.IntN(len(characters))]
	}
	return string(label)
}
