package migrate_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type limited struct {
	Limit int `query:"limit"`
}

type base struct {
	Context any
}

type search struct {
	base
	limited
	IDs     []string  `query:"id"`
	OrderBy string    `query:"order_by"`
	Max     float64   `query:"max"`
	Since   time.Time `query:"since"`
	State   string    `query:"state"`
}

type fieldsOfRequest struct {
	Zone  string   `header:"X-Zone"`
	Langs []string `header:"X-Lang"`
}

type upload struct {
	Note     string                `form:"note"`
	Priority string                `form:"priority"`
	Gift     bool                  `form:"gift"`
	Tag      string                `form:"tag"`
	File     *multipart.FileHeader `form:"file"`
}

func same[T any](value T) (T, error) { return value, nil }

func lower(text string) (string, error) { return strings.ToLower(text), nil }

// changed returns a history of two versions.
func changed(t *testing.T, edits ...migrate.TypeEdits) *migrate.History {
	t.Helper()
	h, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", edits...)), migrate.Release("v1"))
	require.NoError(t, err)
	return h
}

// lift lifts a request of v1.
func lift(route *migrate.Route, r *http.Request) error {
	_, err := route.Begin(verso.V("v1"), httptest.NewRecorder(), r)
	return err
}

func TestQueriesAreLifted(t *testing.T) {
	double := func(n float64) (float64, error) { return n * 2, nil }
	for _, test := range []struct {
		name, query string
		edit        migrate.Edit
		want        string // the query, or the error
	}{
		{"each value of a list of another type", "id=1&id=2",
			migrate.Mapped("id", func(n int) (string, error) { return "n" + strconv.Itoa(n), nil }, func(s string) (int, error) { return strconv.Atoi(s[1:]) }), "id=n1&id=n2"},
		{"a list is added", "", migrate.Added("id", []string{"a", "b"}), "id=a&id=b"},
		{"the default is a list", "", migrate.Default("id", []string{"a"}), "id=a"},
		{"a member of an embedded struct", "size=5", migrate.Renamed("size", "limit"), "limit=5"},
		{"another case of what both versions have", "Limit=5", migrate.Renamed("sort", "order_by"), "Limit=5"},
		{"another case of what only the newer version has", "Order_By=x&order_by[]=x", migrate.Renamed("sort", "order_by"), ""},
		{"brackets in a name that only the newer version has", "order_by[][]=x&order[]_by=x&[]ORDER_by=x&order%5B%5D_by=x", migrate.Renamed("sort", "order_by"), ""},
		{"brackets, which no binder declares", "key[]=1&key[]=2", migrate.Renamed("key", "id"), "key[]=1&key[]=2"},
		{"brackets in a name that has a default", "limit[]=3", migrate.Default("limit", 10), "limit[]=3&limit=10"},
		{"a default of what is there", "limit=007", migrate.Default("limit", 10), "limit=007"},
		{"a default of what is there, and is no number", "limit=all", migrate.Default("limit", 10), "limit=all"},
		{"brackets in a name that stays", "id[]=1&limit[][]=2", migrate.Renamed("sort", "order_by"), "id[]=1&limit[][]=2"},
		{"brackets at the end of a name that the version has", "id[]=1", migrate.Mapped("id", same[string], same[string]), "id[]=1"},
		{"a number without digits before its point", "max=.5", migrate.Mapped("max", double, double), "max=1"},
		{"a number with a zero before it", "max=05", migrate.Mapped("max", double, double), "max=10"},
		{"of a repeated number the first", "max=1&max=2", migrate.Mapped("max", double, double), "max=2"},
		{"no number", "max=nan", migrate.Mapped("max", double, double), `the parameter has a value that this version does not have: "max"`},
		{"an empty time", "since=", migrate.Mapped("since", same[time.Time], same[time.Time]), "since="},
	} {
		t.Run(test.name, func(t *testing.T) {
			route := changed(t, migrate.For[search](test.edit)).Route(migrate.Query[search]())
			r := httptest.NewRequest(http.MethodGet, "/?"+test.query, nil)
			var got string
			if err := lift(route, r); err != nil {
				got = err.Error()
				var refused *migrate.Error
				require.ErrorAs(t, err, &refused)
				assert.NotContains(t, refused.Err.Error(), "nan", "the value is not logged")
			} else {
				got = r.URL.RawQuery
			}
			assert.Equal(t, test.want, got)
		})
	}
}

func TestParametersOfOlderVersionsAlone(t *testing.T) {
	type none struct{}
	h := changed(t, migrate.For[none](migrate.Removed("page,omitempty", 0), migrate.Removed("X-Page,omitempty", "")))
	r := httptest.NewRequest(http.MethodGet, "/?page=2&Size=3", nil)
	r.Header.Set("X-Page", "2")
	require.NoError(t, lift(h.Route(migrate.Query[none](), migrate.Headers[none]()), r))
	assert.Equal(t, "Size=3", r.URL.RawQuery)
	assert.Empty(t, r.Header)
}

// What would be lifted by half is refused when the route is made.
func TestParametersThatAreRefused(t *testing.T) {
	type mixed struct {
		Zone  string `header:"X-Zone"`
		Since string `query:"since"`
	}
	h := changed(t, migrate.For[limited](migrate.Renamed("size", "limit")))
	assert.NotPanics(t, func() { h.Route(migrate.Query[search]()) }, "limited is embedded in search")
	assert.PanicsWithError(t, "migrate: mixed.X-Zone does not have this name in the tag query: give these parameters a struct of their own", func() { h.Route(migrate.Query[mixed]()) })

	type both struct {
		Zone  string `json:"zone"`
		Since string `query:"since"`
	}
	assert.PanicsWithError(t, "migrate: both is not a struct of parameters: give its fields the tag query or form, and none the tag json", func() { h.Route(migrate.Query[both]()) })

	join := func(list []string) (string, error) { return strings.Join(list, ","), nil }
	cut := func(text string) ([]string, error) { return strings.Split(text, ","), nil }
	_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[search](migrate.Mapped("state", join, cut)))), migrate.Release("v1"))
	assert.ErrorContains(t, err, `"state" is a parameter, whose values are mapped one by one: map each of them`)
}

// Several spellings in a link are one parameter, in the same order each time.
func TestLinksWithSpellings(t *testing.T) {
	upper := func(text string) (string, error) { return strings.ToUpper(text), nil }
	for _, test := range []struct {
		edit migrate.Edit
		want url.Values
	}{
		{migrate.Renamed("label", "tag"), url.Values{"label": {"a", "b", "c"}}},
		{migrate.Mapped("tag", same[string], upper), url.Values{"tag": {"A", "B", "C"}}},
	} {
		route := changed(t, migrate.For[ranged](test.edit)).Route(migrate.Query[ranged]()).ForBinder(verso.Binder{IgnoresCase: true})
		assert.Equal(t, test.want, route.LowerQuery(verso.V("v1"), url.Values{"tag": {"c"}, "TAG": {"a"}, "Tag": {"b"}}))
	}
}

// A name of a client that is a path into many structs is read as fast as another one.
func TestPathsOfClients(t *testing.T) {
	route := changed(t, migrate.For[search](migrate.Renamed("sort", "order_by"))).Route(migrate.Query[search]()).ForBinder(verso.Binder{Nested: true})
	r := httptest.NewRequest(http.MethodGet, "/?LIMITED.sort=1&"+strings.Repeat("a.", 4<<10)+"=2", nil)
	allocated := testing.AllocsPerRun(1, func() {
		request := *r
		_, _ = route.Begin(verso.V("v1"), httptest.NewRecorder(), &request)
	})
	assert.Less(t, allocated, 200.0)
}

// A value that the version cannot have is missing in a link, whose other names are the version's.
func TestLinksWithoutAValue(t *testing.T) {
	no := func(string) (string, error) { return "", errors.New("v1 has no such state") }
	route := changed(t, migrate.For[search](migrate.Renamed("sort", "order_by"), migrate.Mapped("state", same[string], no))).Route(migrate.Query[search]())
	assert.Equal(t, url.Values{"sort": {"name"}}, route.LowerQuery(verso.V("v1"), url.Values{"order_by": {"name"}, "state": {"x"}}))
}

// The names of a link are those of the version, and the service keeps its own values.
func TestLinksOfOtherNames(t *testing.T) {
	no := func(int) (int, error) { return 0, errors.New("v1 has no such limit") }
	panics := func(int) (int, error) { panic("v1 has no such limit") }
	for name, test := range map[string]struct {
		edit  migrate.Edit
		query url.Values
		want  url.Values
	}{
		"a name that only the version has, in any case": {migrate.Renamed("max", "limit"), url.Values{"max": {"x"}, "MAX": {"x"}, "limit": {"5"}}, url.Values{"max": {"5"}}},
		"a name that the version lacks":                 {migrate.Added("limit"), url.Values{"limit": {"5"}, "from": {"1"}}, url.Values{"from": {"1"}}},
		"a function that panics":                        {migrate.Mapped("limit", same[int], panics), url.Values{"limit": {"5"}, "from": {"1"}}, url.Values{}},
		"a value that the version lacks":                {migrate.Mapped("limit", same[int], no), url.Values{"limit": {"5"}, "from": {"1"}}, url.Values{"from": {"1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			given := maps.Clone(test.query)
			route := changed(t, migrate.For[ranged](test.edit)).Route(migrate.Query[ranged]())
			assert.Equal(t, test.want, route.LowerQuery(verso.V("v1"), given))
			assert.Equal(t, test.query, given, "the service may write another link of it")
		})
	}
}

// What runs in front of the rewriting keeps the URL that the client sent, and may have parsed it.
func TestTheURLOutside(t *testing.T) {
	route := changed(t, migrate.For[ranged](migrate.Renamed("max", "limit"))).Route(migrate.Query[ranged]())
	r := httptest.NewRequest(http.MethodGet, "/?max=5", nil)
	outside := r.URL
	require.NoError(t, r.ParseForm())
	require.NoError(t, lift(route, r))
	assert.Equal(t, "max=5", outside.RawQuery)
	assert.Equal(t, "5", r.FormValue("limit"))
	assert.Empty(t, r.FormValue("max"))
}

type ranged struct {
	Tags  []string `query:"tag"`
	Limit int      `query:"limit"`
	From  string   `query:"from"`
	To    string   `query:"to"`
}

// A list that a version lacks is made in each request, not only in the first.
func TestAListIsMadeInEachRequest(t *testing.T) {
	route := changed(t, migrate.For[ranged](migrate.Added("tag", []string{"a", "b"}))).Route(migrate.Query[ranged]())
	for range 3 {
		r := httptest.NewRequest(http.MethodGet, "/?limit=1", nil)
		require.NoError(t, lift(route, r))
		assert.Equal(t, "limit=1&tag=a&tag=b", r.URL.RawQuery)
	}
}

// Of a pair that the version cannot have, a link has neither half.
func TestLinksWithoutAPair(t *testing.T) {
	cut := func(text string) (from, to string, err error) {
		from, to, _ = strings.Cut(text, "..")
		return from, to, nil
	}
	join := func(from, to string) (string, error) {
		if len(to) > 2 {
			return "", errors.New("v1 has ranges below 100")
		}
		return from + ".." + to, nil
	}
	route := changed(t, migrate.For[ranged](migrate.Split("range", "from", "to", cut, join))).Route(migrate.Query[ranged]())
	for to, want := range map[string]string{"50": "limit=9&range=1..50", "500": "limit=9"} {
		query := route.LowerQuery(verso.V("v1"), url.Values{"from": {"1"}, "to": {to}, "limit": {"9"}})
		assert.Equal(t, want, query.Encode())
	}
}

// A constant that an older version cannot have costs a link that parameter, not the others.
func TestLinksWithoutAConstant(t *testing.T) {
	no := func(string) (string, error) { return "", errors.New("v1 has no such mode") }
	h, err := migrate.New(apiOf("v3", "v2", "v1"),
		migrate.Release("v3", migrate.Changed("x", migrate.For[ranged](migrate.Removed("mode", "x")))),
		migrate.Release("v2", migrate.Changed("x", migrate.For[ranged](migrate.Mapped("mode", same[string], no)))), migrate.Release("v1"))
	require.NoError(t, err)
	query := h.Route(migrate.Query[ranged]()).LowerQuery(verso.V("v1"), url.Values{"limit": {"9"}})
	assert.Equal(t, "limit=9", query.Encode())
}

// A field that no edit reads keeps its lines, and an edit maps each line of a list.
func TestLinesOfHeaders(t *testing.T) {
	route := changed(t, migrate.For[fieldsOfRequest](migrate.Renamed("X-Z", "X-Zone"))).Route(migrate.Headers[fieldsOfRequest]())
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header = http.Header{"X-Lang": {"a", "b"}, "X-Z": {"utc"}}
	require.NoError(t, lift(route, r))
	assert.Equal(t, http.Header{"X-Lang": {"a", "b"}, "X-Zone": {"utc"}}, r.Header)
	for _, lines := range [][]string{nil, {""}} { // a field without a value is none
		r.Header = http.Header{"X-Z": lines}
		require.NoError(t, lift(route, r))
		assert.Empty(t, r.Header)
	}

	route = changed(t, migrate.For[fieldsOfRequest](migrate.Values("X-Lang", map[string]string{"a": "A"}))).Route(migrate.Headers[fieldsOfRequest]())
	r.Header = http.Header{"X-Lang": {"a", "b"}}
	require.NoError(t, lift(route, r))
	assert.Equal(t, http.Header{"X-Lang": {"A", "b"}}, r.Header)
}

func uploads(t *testing.T) *migrate.Route {
	t.Helper()
	return changed(t, migrate.For[upload](migrate.Renamed("comment", "note"), migrate.Renamed("attachment", "file"),
		migrate.Values("priority", map[string]string{"1": "high"}), migrate.Added("gift", false), migrate.Mapped("tag", lower, lower))).Route(migrate.Form[upload]())
}

func posted(contentType, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	return r
}

// multiparted is a request with parts, whose boundary is B. Each has the parameters of its
// Content-Disposition, a line, and its text.
func multiparted(parts ...string) *http.Request {
	var body strings.Builder
	for _, part := range parts {
		parameters, text, _ := strings.Cut(part, "\n")
		body.WriteString("--B\r\nContent-Disposition: form-data; " + parameters + "\r\n\r\n" + text + "\r\n")
	}
	return posted("multipart/form-data; boundary=B", body.String()+"--B--\r\n")
}

func TestFormsAreLifted(t *testing.T) {
	const isForm = "application/x-www-form-urlencoded"
	parsed := posted(isForm, "comment=hi&priority=1")
	require.NoError(t, parsed.ParseForm())       // as a middleware against forged requests does
	decompressed := posted(isForm, "comment=hi") // the field is left there by what decompresses
	decompressed.Header.Set("Content-Encoding", "gzip")
	empty := posted(isForm, "")
	empty.Body = http.NoBody // as net/http has it for Content-Length: 0
	for name, test := range map[string]struct {
		request *http.Request
		want    map[string]string
	}{
		"a form that was parsed before": {parsed, map[string]string{"note": "hi", "priority": "high", "gift": "false"}},
		"an empty form":                 {empty, map[string]string{"gift": "false"}},
		"parts":                         {multiparted("name=\"comment\"\nhi", "name=\"gift\"\ntrue"), map[string]string{"note": "hi", "gift": "false"}},
		"an encoded name":               {multiparted("name*=UTF-8''comment\nhi"), map[string]string{"note": "hi"}},
		"spaces around the name":        {multiparted("name = \"comment\"\nhi"), map[string]string{"note": "hi"}},
		"an encoding that was undone":   {decompressed, map[string]string{"note": "hi"}},
		"brackets in the name":          {multiparted("name=\"comment\"\nhi", "name=\"no[]te[]\"\nnewer"), map[string]string{"note": "hi", "no[]te[]": ""}},
		"a name in parts":               {multiparted("name*0=\"com\"; name*1=\"ment\"\nhi"), map[string]string{"note": "hi"}},
		"a name in two spellings":       {multiparted("name=\"x\"; name*=utf-8''comment\nhi"), map[string]string{"note": "hi"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, lift(uploads(t), test.request))
			for field, want := range test.want {
				assert.Equal(t, want, test.request.FormValue(field), field)
			}
			assert.Empty(t, test.request.FormValue("comment"))
		})
	}

	long := multiparted("name=\"comment\"\nhi")
	long.Header.Set("Content-Length", strconv.FormatInt(long.ContentLength, 10))
	require.NoError(t, lift(uploads(t), long))
	assert.EqualValues(t, -1, long.ContentLength, "the length of the lifted form is not known before it is read")
	assert.Empty(t, long.Header.Get("Content-Length"))

	file := multiparted("name=\"attachment\"; filename=\"x; name=y.txt\"\nhello")
	require.NoError(t, lift(uploads(t), file))
	require.NoError(t, file.ParseMultipartForm(1<<20))
	require.Len(t, file.MultipartForm.File["file"], 1)
	assert.Equal(t, "x; name=y.txt", file.MultipartForm.File["file"][0].Filename)
}

// http.Request.Form, which binders read, joins the query and the form: the fields of a form are
// lifted in both, and a default is made once.
func TestFieldsOfAFormInTheQuery(t *testing.T) {
	for name, test := range map[string]struct{ query, body, want string }{
		"renamed, newer and read by an edit": {"comment=hi&note=newer&priority=1", "", "comment=hi&gift=false&note=hi&priority=high"},
		"beside the form":                    {"comment=hi", "priority=1", "comment=hi&gift=false&note=hi&priority=high"},
		"what no edit reads":                 {"page=2", "tag=x", "gift=false&page=2&tag=x"},
	} {
		t.Run(name, func(t *testing.T) {
			r := posted("application/x-www-form-urlencoded", test.body)
			r.URL.RawQuery = test.query
			require.NoError(t, lift(uploads(t), r))
			require.NoError(t, r.ParseForm())
			assert.Equal(t, test.want, r.Form.Encode())
		})
	}
}

// compressed is a form that a handler, or a middleware behind the rewriting, would decompress.
func compressed(form string) *http.Request {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(form))
	_ = z.Close()
	r := posted("application/x-www-form-urlencoded", packed.String())
	r.Header.Set("Content-Encoding", "gzip")
	return r
}

func TestFormsThatAreRefused(t *testing.T) {
	large := multiparted("name=\"priority\"\n" + strings.Repeat("x", 10_000))
	large.Body = http.MaxBytesReader(nil, large.Body, 500)
	for _, test := range []struct {
		name    string
		request *http.Request
		status  int
		want    string
	}{
		{"a value that the version does not have", multiparted("name=\"comment\"\nhi", "name=\"priority\"\nhigh"), 400, `"priority"`},
		{"a form that is cut off", posted("multipart/form-data; boundary=B", "--B\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nhi"), 400, ""},
		{"a boundary that an edit makes", posted("multipart/form-data; boundary=bound",
			"--bound\r\nContent-Disposition: form-data; name=\"tag\"\r\n\r\nA\r\n--BOUND\r\nContent-Disposition: form-data; name=\"gift\"\r\n\r\ntrue\r\n--bound--\r\n"), 400, `"tag"`},
		{"no parts", posted("multipart/form-data; boundary=B", "garbage"), 400, ""},
		{"another boundary", posted("multipart/form-data; boundary=B", "--C\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nhi\r\n--C--\r\n"), 400, ""},
		{"a header that is none", posted("multipart/form-data; boundary=B", "--B\r\nContent-Disposition form-data\r\n\r\nhi\r\n--B--\r\n"), 400, ""},
		{"a limit of a middleware", large, 413, "the body is too large"},
		{"a text of more than 1 MB", multiparted("name=\"priority\"\n" + strings.Repeat("x", 1<<20+1)), 413, "the body is too large"},
		{"a form of more than 1 MB", posted("application/x-www-form-urlencoded", "comment="+strings.Repeat("x", 1<<20)), 413, "the body is too large"},
		{"no form", posted("application/json", `{"gift":true}`), 415, ""},
		{"a compressed form", compressed("comment=hi&gift=true"), 415, "the body is compressed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := lift(uploads(t), test.request)
			var refused *migrate.Error
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, test.status, refused.Status)
			assert.Contains(t, refused.Error(), test.want)
		})
	}

	parsed := multiparted("name=\"comment\"\nhi")
	require.NoError(t, parsed.ParseMultipartForm(1<<20))
	assert.ErrorContains(t, lift(uploads(t), parsed), "has parsed the multipart form")
	// A framework knows the error of its own limit.
	limited, own := multiparted(), errors.New("a limit")
	limited.Body = io.NopCloser(iotest.ErrReader(own))
	assert.Same(t, own, lift(uploads(t), limited))
}

// A form that no version changed passes beside JSON that one did.
func TestFormsWithoutEdits(t *testing.T) {
	route := changed(t, migrate.For[Person](migrate.Renamed("mail", "email"))).Route(migrate.Accepts[Person](), migrate.Form[upload]())
	r := posted("application/x-www-form-urlencoded", "note=x")
	require.NoError(t, lift(route, r))
	assert.Equal(t, "x", r.FormValue("note"))
}

// A request may turn out to have no body, whatever its type is.
func TestNoBody(t *testing.T) {
	r := posted("application/json", "")
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader("")), -1
	assert.NoError(t, lift(uploads(t), r))
}

// A Read of nothing returns, whatever comes.
func TestReadsOfNothing(t *testing.T) {
	r := multiparted("name=\"x\"\n" + strings.Repeat("hello", 100_000))
	require.NoError(t, lift(uploads(t), r))
	var all bytes.Buffer
	for {
		n, err := r.Body.Read(nil)
		require.Zero(t, n)
		require.NoError(t, err)
		if _, err = io.CopyN(&all, r.Body, 30_000); err != nil {
			break
		}
	}
	assert.Contains(t, all.String(), strings.Repeat("hello", 100_000))
}
