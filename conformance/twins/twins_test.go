package twins

import (
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestJudge has a difference of each kind, and answers that are right.
func TestJudge(t *testing.T) {
	program := &Program{Flags: []string{"v.NotFound"}, Body: []*Statement{
		{ID: 1, Wares: []Ware{{ID: 2, Kind: "a"}}},
		{ID: 3, Only: Last},
		{ID: 4, By: ByFramework},
	}}
	says := func(status int, body string, trace ...string) Outcome {
		return Outcome{Status: status, Header: http.Header{}, Body: body, Trace: trace}
	}
	varies := func(o Outcome) Outcome { o.Header.Set("Vary", "Api-Version"); return o }
	ends := func(o Outcome) Outcome {
		o.Header.Set("Deprecation", "@1")
		o.Header.Set("Sunset", "then")
		return varies(o)
	}
	rejected := func(status int, trace ...string) Outcome {
		return Outcome{Status: status, Trace: trace, Header: http.Header{"Content-Type": {"application/problem+json"},
			"Content-Language": {"en"}, "Vary": {"Api-Version, Accept-Language"}}}
	}
	without := func(o Outcome) Outcome { o.Header.Del("Vary"); return o }
	mute := func(o Outcome) Outcome { o.Header.Del("Content-Language"); return o }
	returns := func(o Outcome, value string) Outcome { o.values = []string{value}; return o }
	for name, test := range map[string]struct {
		version   string
		bare, own Outcome
		kind      string
	}{
		"the same":                         {First, says(200, "H1", "A2:a pass", "H1 GET"), ends(says(200, "H1", "A2:a pass", "H1 GET")), ""},
		"the same in the newest version":   {Last, says(200, "H1", "H1 GET"), varies(says(200, "H1", "H1 GET")), ""},
		"no Vary":                          {First, says(200, "H1", "H1 GET"), without(ends(says(200, "H1", "H1 GET"))), OtherField + "Vary"},
		"no Vary of a rejection":           {Ended, says(200, "H1", "H1"), without(rejected(410)), OtherField + "Vary"},
		"no language of a rejection":       {Ended, says(200, "H1", "H1"), mute(rejected(410)), OtherField + "Content-Language"},
		"what Param returns":               {Last, says(200, "H1", "H1"), returns(varies(says(200, "H1", "H1")), "a/b"), ""},
		"what Param leaves encoded":        {Last, says(200, "H1", "H1"), returns(varies(says(200, "H1", "H1")), "a%2Fb"), OtherView},
		"no dates":                         {First, says(200, "H1", "H1 GET"), varies(says(200, "H1", "H1 GET")), OtherField + "Deprecation"},
		"dates of another version":         {Last, says(200, "H1", "H1 GET"), ends(says(200, "H1", "H1 GET")), OtherField + "Deprecation"},
		"Vary without a check":             {First, says(200, "H4", "H4"), varies(says(200, "H4", "H4")), OtherField + "Vary"},
		"a guard of the handler":           {First, says(200, "H1", "A2:a pass", "H1 GET"), says(200, "H1", "H1 GET"), LostGuard},
		"a handler in place of a guard":    {First, says(403, "", "A2:a deny"), says(200, "H4", "H4 GET"), LostGuard},
		"another handler":                  {First, says(200, "H1", "H1 GET"), says(200, "H4", "H4 GET"), OtherHandler},
		"another status":                   {First, says(404, ""), says(405, ""), OtherStatus},
		"another parameter":                {First, says(200, "H1", "H1 id=7"), says(200, "H1", "H1 id=8"), OtherView},
		"another order":                    {First, says(200, "H1", "M5", "M6", "H1"), says(200, "H1", "M6", "M5", "H1"), OtherOrder},
		"another body":                     {First, says(200, "H1", "H1"), says(200, "", "H1"), OtherBody},
		"a middleware without a route":     {First, says(404, "", "M5"), says(404, ""), OtherMatching},
		"a rejection":                      {Ended, says(200, "H1", "M5", "H1"), rejected(410, "M5"), ""},
		"a rejection before a middleware":  {Ended, says(200, "H1", "M5", "H1"), rejected(410), OtherOrder},
		"no rejection":                     {Ended, says(200, "H1", "H1"), says(200, "H1", "H1"), OtherHandler},
		"a rejection of another status":    {Unknown, says(200, "H1", "H1"), rejected(410), OtherStatus},
		"a rejection where no handler ran": {First, says(404, ""), rejected(400), OtherStatus},
		"one by NotFound":                  {Unknown, says(404, ""), rejected(400), ""},
		"a route of another version":       {First, says(200, "H3", "H3"), rejected(404), ""},
		"a route without a check":          {Unknown, says(200, "H4", "H4"), says(200, "H4", "H4"), ""},
		"a check of such a route":          {Unknown, says(200, "H4", "H4"), rejected(400), OtherStatus},
	} {
		t.Run(name, func(t *testing.T) {
			kind, detail := program.judge(Way{}, Request{Method: "GET", Target: "/a%2Fb", Version: test.version}, test.bare, test.own)
			if kind != test.kind {
				t.Errorf("%q (%s), not %q", kind, detail, test.kind)
			}
		})
	}
	program.Body = append(program.Body, &Statement{ID: 5, Methods: []string{"OPTIONS"}})
	for name, test := range map[string]struct {
		version   string
		bare, own Outcome
		kind      string
	}{
		"for OPTIONS alone":               {Ended, says(200, "H5", "H5"), says(200, "H5", "H5"), ""},
		"for OPTIONS alone, rejected":     {Ended, says(200, "H5", "H5"), rejected(410), OtherStatus},
		"without a version":               {"", says(200, "H1", "H1"), says(200, "H1", "H1"), ""},
		"without a version, with options": {"", says(200, "H3", "H3"), says(204, ""), ""},
		"without a version, decided":      {"", says(200, "H3", "H3"), varies(says(200, "H3", "H3")), OtherHandler},
		"of an ended version":             {Ended, says(200, "H1", "H1"), rejected(410), ""},
		"without a route":                 {Ended, says(404, ""), rejected(410), OtherStatus},
	} {
		request := Request{Method: "OPTIONS", Version: test.version, Preflight: true}
		if kind, detail := program.judge(Way{}, request, test.bare, test.own); kind != test.kind {
			t.Errorf("a preflight %s: %q (%s), not %q", name, kind, detail, test.kind)
		}
	}
	program.Body = program.Body[:2]
	for kind, own := range map[string]Outcome{OtherStatus: varies(says(404, "")), "": rejected(410)} {
		if got, detail := program.judge(Way{}, Request{Method: "GET", Version: Ended}, says(404, ""), own); got != kind {
			t.Errorf("without a route: %q (%s), not %q", got, detail, kind)
		}
	}
}

// TestPanicsOverConnections: the output of a test has the reason why a connection ends without a response.
func TestPanicsOverConnections(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var logged strings.Builder
	server := http.Server{ReadHeaderTimeout: time.Minute, ErrorLog: log.New(panics{&logged}, "", 0), Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		w.WriteHeader(http.StatusTeapot) // which the server logs, too
		panic("of a handler")
	})}
	served := make(chan error)
	go func() { served <- server.Serve(listener) }()
	o := over(listener.Addr().String(), Request{Method: "GET", Target: "/", Host: "example.com"})
	_ = server.Shutdown(t.Context())
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
	if o.Status != -1 || !strings.HasPrefix(logged.String(), "http: panic serving") || !strings.Contains(logged.String(), "of a handler") {
		t.Errorf("%d, %q", o.Status, logged.String())
	}
}

// TestShrink makes a program as small as a difference allows.
func TestShrink(t *testing.T) {
	program := &Program{Flags: []string{"f"}, Wares: []Ware{{ID: 9}}, Body: []*Statement{
		{ID: 1, Op: "group", Body: []*Statement{{ID: 2, Op: "get"}, {ID: 3, Op: "get", Wares: []Ware{{ID: 4}}, Only: First}}}, {ID: 5},
	}}
	small := new(comparison).shrink(program, func(p *Program) bool { return strings.Contains(p.String(), "H3") })
	if want := "way= flags=[]\n    get  \"\" H3    \n"; small.String() != want {
		t.Errorf("%q, not %q", small, want)
	}
	if len(program.Body) != 2 {
		t.Error("the program itself has changed")
	}
}

// TestQuoted looks up sentences in pages and comments.
func TestQuoted(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# One\nfirst\nline\n## The second one\nother\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for quote, isThere := range map[string]bool{
		page + "#one|first line": true, page + "#one|other": false, page + "#the-second-one|other": true, page + "|other": true,
		page + "#none|": false, page + "|": false, "run.go#Run|compares programs of each way": true,
		"program.go#Way|how a program is built": true, "framework.go#Framework|how a program is built": false, "run.go#None|x": false,
		"program.go#Env.Note|adds a line": true, "nowhere.md|x": false,
	} {
		at, text, _ := strings.Cut(quote, "|")
		if err := quoted(at, text); (err == nil) != isThere {
			t.Errorf("%s: %v", quote, err)
		}
	}
}

// TestReasons: a program has the reasons of its refusals.
func TestReasons(t *testing.T) {
	get := func(path string) *Statement { return &Statement{Op: "get", Path: path, Methods: []string{"GET"}} }
	within := func(op, path string, body ...*Statement) *Statement {
		return &Statement{Op: op, Path: path, Body: body}
	}
	for text, test := range map[string]struct{ with, without []*Statement }{
		"registered twice":     {[]*Statement{get("/{a}/x"), within("group", "/{b}", get("/x"))}, []*Statement{get("/a"), get("/b"), within("group", "/a", get("/a"))}},
		"twice: remove either": {[]*Statement{get("GET /a"), {Op: "any", Path: "/a/"}}, []*Statement{{Op: "get", Path: "GET /a"}, {Op: "get", Path: "PUT /a"}}},
		"registers no route":   {[]*Statement{within("group", "/a"), {Op: "use"}, {Op: "get", By: ByFramework}}, []*Statement{within("group", "/a", get("/b"))}},
		"never called":         {[]*Statement{{Op: "versions", Only: Both}}, []*Statement{{Op: "get", Only: First}}},
		"either neutral or in": {[]*Statement{{Op: "group", By: ByNeutral, Body: []*Statement{{Only: Last}}}}, []*Statement{{Op: "get", By: ByNeutral}}},
		"disagree":             {[]*Statement{within("group", "", get("a.example/:x/b"))}, []*Statement{get("/a/:x")}},
		"duplicate param":      {[]*Statement{within("route", "/{x}", get("/{x:[0-9]+}"))}, []*Statement{get("/{x}/{y}")}},
	} {
		for want, body := range map[bool][]*Statement{true: test.with, false: test.without} {
			if got := (&Program{Body: body}).hasReason("versochi: "+text+" …", nil); got != want {
				t.Errorf("%s: %t, not %t", text, got, want)
			}
		}
	}
	if !new(Program).hasReason("another text", nil) {
		t.Error("a text without a condition")
	}
}
