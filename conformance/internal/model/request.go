package model

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Request is a raw request for a route. Unless it is hostile it means one thing. The fields
// beside Raw are what the model in answer.go knows: it must not parse the bytes again, or
// it would repeat the mistakes of the code that it checks.
type Request struct {
	Raw       []byte
	Method    string
	Hostile   bool
	Ambiguous bool // its end is not certain

	route     *Route
	texts     map[string]string // that it asks for, by the kind of the source
	kept      bool
	preflight bool // if its method is OPTIONS
	otherHost bool // it is not for example.com
}

// draft is a request before it is written. It has parts so that several changes can be made to
// each, in any order.
type draft struct {
	Request

	path, query string
	absolute    string // "http://host", in front of the path
	proto       string
	host        string
	lines       []string
	body        string
}

// Request makes a random request. All choices come from the fuzzer's input, so a failure can be
// repeated, and the fuzzer learns which bytes lead to new code.
func (s *Service) Request(c *Choices) *Request {
	d := &draft{proto: "HTTP/1.1", host: "api.example.com"}
	d.route, d.texts = Pick(c, s.Routes), make(map[string]string)
	// A route for any method gets those that frameworks treat specially.
	if d.Method = d.route.Method; d.Method == "" {
		d.Method = Pick(c, []string{"GET", "POST", "OPTIONS", "HEAD", "PATCH"})
	}
	if d.Method == http.MethodOptions && c.rarely(2) {
		d.bePreflight("GET")
	}
	d.path = placeholder.ReplaceAllStringFunc(d.route.Pattern, func(name string) string {
		if name == "{version}" {
			return name
		}
		return Pick(c, []string{"7", "a", "a-b_c", "%20", "%C3%A9", "v1"})
	})
	s.ask(c, d)
	for range c.Below(3) {
		s.decorate(c, d)
	}
	// Half of the requests stay clear: the exact prediction holds for these only.
	for range max(0, c.Below(6)-2) {
		if s.Clear {
			break
		}
		s.harm(c, d)
	}
	return d.write()
}

// ask writes the version of the request into each of the places. The places may name different
// versions, which is where First and Agree differ.
func (s *Service) ask(c *Choices, d *draft) {
	version := func() string {
		if c.rarely(6) {
			return Pick(c, []string{"v9", "0", "latest", "V1"})
		}
		return Pick(c, s.versions).name
	}
	common := version()
	for _, kind := range s.kinds {
		text := common
		if c.rarely(4) {
			text = version()
		}
		// An empty parameter in a path would lead to another route.
		if c.rarely(4) && kind != "path" {
			text = ""
		}
		switch kind {
		case "path":
			if d.path = strings.Replace(d.path, "{version}", text, 1); d.route.bare {
				text = ""
			}
		// The version of a prefix belongs to the route, unless the route is registered for each of
		// them.
		case "path_prefix":
			if text = d.route.version; d.route.EachVersion {
				d.Hostile = d.Hostile || common == "V1" // Fiber ignores case
				if text = common; s.byDefault >= 0 && c.rarely(3) {
					text = ""
				} else {
					d.path = "/api/" + text + strings.TrimPrefix(d.path, "/api")
				}
			}
		// A namespace is a property of the route: the request does not carry it.
		case "namespace":
			if text = d.route.version; text != "" && strings.HasPrefix(d.route.Namespace, "api:") &&
				s.isUnreleased(text) {
				text = "api" // the first part, since none is served
			}
		case "header":
			if text != "" {
				d.lines = append(d.lines, Pick(c, []string{"Api-Version", "api-version", "API-VERSION"})+":"+Pick(c,
					[]string{" ", "", " \t "})+text)
			}
		case "query":
			if text != "" {
				d.query = "version=" + text
			}
		case "host":
			d.Hostile = d.Hostile || text == "V1" // as above
			if d.host = text + ".example.com"; text == "" {
				d.host = "example.com"
			}
		case "accept":
			if text != "" {
				d.lines = append(d.lines, "Accept: "+Pick(c,
					[]string{"application/json;version=", "application/json; VERSION=", "*/*; version="})+text)
			}
		// Media types are compared without regard to case (RFC 9110, section 8.3.1), so the
		// version in one is found in lower case.
		case "media_type":
			if text != "" {
				d.lines = append(d.lines, "Accept: application/vnd.acme."+text+"+json")
				text = strings.ToLower(text)
			} else if c.rarely(2) {
				d.lines = append(d.lines, "Accept: */*")
			}
		}
		if text != "" {
			d.texts[kind] = text
		}
	}
}

// isUnreleased is about versions that exist in the configuration only: to clients they are
// unknown.
func (s *Service) isUnreleased(text string) bool {
	return s.versions[s.index(text)].released > 0
}

// decorate adds what changes nothing, or what is clear. A careless reader of requests would
// take the version from these: from fields with similar names, from a body, a trailer, a
// cookie, or from what proxies add. After each, the model must still know what the request
// means.
func (s *Service) decorate(c *Choices, d *draft) {
	other := Pick(c, s.versions).name
	switch c.Below(14) {
	case 0:
		d.lines = append(d.lines, Pick(c, []string{
			"X-Api-Version: ", "Api_Version: ", "Version: ", "Api-Version-2: ", "X-Original-URL: /",
			"Content-Version: ",
		})+other)
	case 1:
		d.query = strings.Trim(d.query+"&"+Pick(c,
			[]string{"Version=", "xversion=", "version[]=", "a=version%3D", "versio%6E2="})+other, "&")
	case 2:
		if d.body != "" {
			return
		}
		d.lines, d.body = append(d.lines, "Content-Type: application/x-www-form-urlencoded"), "version="+other
	// Trailers come after the decision, so the fields in them must not count (RFC 9110, section
	// 6.5).
	case 3:
		if d.body != "" || d.proto != "HTTP/1.1" {
			return
		}
		d.lines = append(d.lines, "Transfer-Encoding: chunked")
		d.body = "2\r\nhi\r\n0\r\nApi-Version: " + other + "\r\nAccept: a/b;version=" + other +
			"\r\nOrigin: https://a.example\r\n\r\n"
	case 4:
		d.lines = slices.Insert(d.lines, 0, "X-Junk: \xe9\xff\x80", "Cookie: version="+other)
	case 5:
		d.absolute = "http://{host}"
	case 6:
		d.lines = append(d.lines, "X-Kept: 1")
		d.kept = s.Kept
	case 7:
		d.bePreflight(Pick(c, []string{"GET", "PUT", "", "OPTIONS"}))
	case 8:
		if !strings.Contains(d.host, ":") {
			d.host += Pick(c, []string{":80", ":8080"})
		}
	case 9:
		d.lines = append(d.lines, "X-Long: "+strings.Repeat("a", 3000), "Forwarded: host="+other+".example.com",
			"X-Forwarded-Host: "+other+".example.com")
	case 10:
		if !strings.Contains(d.host, ":") && !slices.Contains(s.kinds, "host") {
			d.host, d.otherHost = Pick(c, []string{"evil.com", "example.com.evil.com", "127.0.0.1", "[::1]"}), true
		}
	case 11:
		if d.body != "" || d.proto != "HTTP/1.1" {
			return
		}
		d.proto, d.lines = "HTTP/1.0", append(d.lines, "Connection: keep-alive")
	// A second field of the same name makes the request contradict itself (RFC 9110, section 5.3).
	case 12:
		d.lines = append(d.lines, "Api-Version: "+other)
		d.again("header", other, true)
	// Only strict services reject a second parameter. Without that the last one counts.
	case 13:
		d.query = strings.Trim(d.query+"&version="+other, "&")
		d.again("query", other, s.Strict || s.agree)
	}
}

// bePreflight adds the fields of a CORS preflight for a method. With another method than
// OPTIONS these fields mean nothing, which is checked as well.
func (d *draft) bePreflight(method string) {
	d.lines = append(d.lines, "Origin: https://a.example", "Access-Control-Request-Method: "+method)
	d.preflight = true
}

// contradicting is what a place asks for that names two versions.
const contradicting = "contradicting"

// again makes a place name a version as well, which contradicts another one there or
// replaces it.
func (d *draft) again(kind, version string, contradicts bool) {
	if before, ok := d.texts[kind]; ok && before != version && contradicts {
		version = contradicting
	}
	d.texts[kind] = version
}

// harm makes a request that servers and Verso may read in several ways. What they get is up to
// the server. Two things hold for all of them: no panic, and no handler in a version that it
// does not have. The numbers of the kinds are those of the committed inputs.
func (s *Service) harm(c *Choices, d *draft) {
	d.Hostile = true
	other := Pick(c, s.versions).name
	if c.rarely(4) {
		other = c.text(6)
	}
	// The path may be empty after an earlier change.
	at := min(len(d.path), 1+c.Below(max(1, len(d.path))))
	switch kind := c.Below(24); kind {
	case 0:
		d.Method = Pick(c, []string{
			"OPTIONS", "HEAD", "CONNECT", "TRACE", "PURGE", "get", "PROPFIND", "echo_route_any", "echo_route_not_found",
			"M-SEARCH",
			"G\x00T", "QUERY",
		})
	// Middleware for this field changes the method after the route was found in some frameworks.
	// It is tried more often, since it leads past the check if that goes by the method of the route.
	case 1, 20, 21, 22:
		override := Pick(c, []string{Pick(c, s.Routes).Method, "GET", "OPTIONS", other})
		if d.route.twin != nil {
			override = d.route.twin.Method
		}
		// HEAD becomes PUT, since a client must know whether to expect a body.
		d.lines = append(d.lines, "X-HTTP-Method-Override: "+strings.Replace(override, "HEAD", "PUT", 1))
	case 2, 3, 4, 5, 6, 23:
		d.harmPath(c, kind, at, other)
	case 7, 10, 12, 13, 14:
		d.harmTarget(c, kind, other)
	default:
		d.harmFields(c, kind, other)
	}
}

// harmPath changes the path.
func (d *draft) harmPath(c *Choices, kind, at int, other string) {
	switch kind {
	case 23:
		d.path = d.path[:at] + c.text(12) + d.path[at+c.Below(len(d.path)-at+1):]
	// Encoded slashes and dots are decoded at different moments by servers, routers and handlers.
	case 2:
		d.path = d.path[:at] + Pick(c, []string{
			"/", "//", "/.", "/./", "/../", "/%2e%2e/", "%2F", "%252F", "%", "%zz", "+", ";", ";version=" + other, "\\",
			"%00", "?", "#",
			":", "*",
		}) + d.path[at:]
	case 3:
		d.path = Pick(c, []string{"/", "//", "/./", "/../", "/api/..", "/" + other, "/" + other + "/..", "/%2F", ""}) +
			d.path
	case 4:
		d.path += Pick(c, []string{"/", "//", "/.", "/..", "%2F", "?", "%20", "/../" + other, ";a=b", ".json"})
	// An encoded letter means the same as a plain one (RFC 3986, section 6.2.2.2), but routers that
	// match raw paths see another one.
	case 5:
		var escaped strings.Builder
		for _, char := range []byte(d.path) {
			if char != '/' && char != '%' && c.rarely(3) {
				fmt.Fprintf(&escaped, "%%%02X", char)
			} else {
				escaped.WriteByte(char)
			}
		}
		d.path = escaped.String()
	case 6:
		d.path = Pick(c, []string{"*", "", "http:", "/", "/" + strings.Repeat("a/", 2000), other, "//evil.com" + d.path,
			strings.ToUpper(d.path)})
	}
}

// harmTarget changes the query, the host, the form of the target or the protocol.
func (d *draft) harmTarget(c *Choices, kind int, other string) {
	switch kind {
	case 7:
		d.query = Pick(c, []string{"", d.query + "&"}) + Pick(c, []string{
			"version=", "version", "version=" + other + ";version=v1", "%76ersion=" + other, "version=%" + "zz",
			"version=" + other + "%00", "version=+" + other,
			"version=" + url.QueryEscape(other+" "), ";version=" + other, "&&&=&version=" + other + "&version=" + other,
			"version=" + strings.Repeat("v", 3000), "?version=" + other,
		})
	case 10:
		d.host = Pick(c, []string{
			"", strings.ToUpper(d.host), d.host + ".", other + ".example.com:8080", other + ".EXAMPLE.com",
			other + ".example.com.evil.com",
			"a b", "user@" + d.host, "[::1]", "127.0.0.1:99999", other, "." + d.host, "\xff.example.com",
			other + "-x.example.com",
		})
	case 12:
		d.host = "\x00" // no line
	// The host of an absolute target replaces the one in the field (RFC 9112, section 3.2.2).
	case 13:
		d.absolute = Pick(c, []string{
			"http://" + other + ".example.com", "https://", "http://evil.com", "ftp://example.com",
			"http://user:pass@" + other + ".example.com:1", "HTTP://", "//" + other + ".example.com",
		})
	case 14:
		d.proto = Pick(c, []string{"HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1.1 ", ""})
	}
}

// harmFields adds fields, or a body.
func (d *draft) harmFields(c *Choices, kind int, other string) {
	switch kind {
	// White space before the colon and folded lines are how requests are smuggled (RFC 9112,
	// sections 5.1 and 5.2).
	case 8:
		d.lines = append(d.lines, Pick(c, []string{
			"Api-Version: ", "Api-Version : ", " Api-Version: ", "Api-Version:\n ", "Api-Version: ,",
			"Api-Version: " + other + ",",
			"Api-Version:\r\n\t", "aPI-vERSION: \"", "Api-Version",
		})+other)
	case 9:
		d.lines = append(d.lines, "Accept: "+Pick(c, []string{
			"application/json;version=" + other + ";q=0", "text/html, */*;version=" + other + ";q=0.1",
			`a/b;version="` + other + `"`, `a/b;version="\` + other + `"`,
			"application/vnd.acme." + other + "+json;q=0, */*;q=0.1",
			"application/vnd.acme." + strings.ToUpper(other) + "+json;version=" + other,
			"a/b;version=" + other + ";version=v2",
			strings.Repeat("a/b;q=0.5,", 200), "application/vnd.acme.+json", "*", `a/b;x="`,
			"application/vnd.acme.*+json", ",,;;", strings.Repeat(other, 3000),
		}))
	// Two Host fields must be refused with 400 (RFC 9112, section 3.2), but not all servers do.
	case 11:
		d.lines = append(d.lines, "Host: "+other+".example.com")
	case 15:
		d.lines = append(d.lines, Pick(c, []string{
			"X-Kept: ", "x-kept:1", "X-Kept : 1", "X-KEPT: 1", "Origin: ", "Access-Control-Request-Method: GET",
			"Expect: 100-continue",
			"Connection: close", "Upgrade: h2c", "Connection: Api-Version, X-Kept",
		}))
	// A length and a coding together are how requests are smuggled (RFC 9112, section 6.3).
	case 16:
		d.lines = append(d.lines, Pick(c, []string{
			"Transfer-Encoding: gzip", "Transfer-Encoding: chunked", "Content-Length: 5", "Content-Length: -1",
			"Content-Length: 0, 0",
		}))
		d.body, d.Ambiguous = "0\r\n\r\n", true
	case 17:
		d.lines = append(d.lines, Pick(c, []string{"no colon", "X: " + strings.Repeat("b", 9000)}))
	case 18:
		d.lines = append(d.lines, "Trailer: Api-Version, Origin, Access-Control-Request-Method, X-Kept, Host")
	case 19:
		d.lines = append(d.lines, Pick(c, []string{"X: a\rb", "X: a\x00b", "\x00: a", ": a", "X\x80: a", "X: \x7f"}))
	}
}

// write returns the request as it goes over the wire. It is written by hand, since net/http's
// client refuses to send most of what is interesting.
func (d *draft) write() *Request {
	if d.Method == http.MethodHead && strings.Contains(strings.Join(d.lines, "\n"), "Override") {
		d.Method = http.MethodPost // as in harm
	}
	var wire bytes.Buffer
	target := strings.Replace(d.absolute, "{host}", d.host, 1) + d.path
	if d.query != "" {
		target += "?" + d.query
	}
	wire.WriteString(strings.TrimSuffix(d.Method+" "+target+" "+d.proto, " ") + "\r\n")
	if d.host != "\x00" {
		wire.WriteString("Host: " + d.host + "\r\n")
	}
	for _, line := range d.lines {
		wire.WriteString(line + "\r\n")
	}
	if !strings.Contains(strings.Join(d.lines, "\n"), "Transfer-Encoding") {
		fmt.Fprintf(&wire, "Content-Length: %d\r\n", len(d.body))
	}
	wire.WriteString("\r\n" + d.body)
	// A server that refuses a request may leave its body unread, which then looks like the next
	// request.
	d.Ambiguous = d.Ambiguous || d.Hostile && d.body != ""
	d.Raw = wire.Bytes()
	return &d.Request
}

// mayBeKept reports whether a server may read the field that keeps a request. It looks at the
// bytes: which of the damaged fields count is up to the server, so the model allows both.
func (r *Request) mayBeKept() bool {
	return bytes.Contains(bytes.ToLower(r.Raw), []byte("x-kept"))
}

// canBePreflight reports whether a server may read a CORS preflight. As in mayBeKept, it allows
// for more than what is certain.
func (r *Request) canBePreflight() bool {
	return bytes.Contains(r.Raw, []byte("OPTIONS")) && bytes.Contains(r.Raw, []byte("\r\nOrigin:")) &&
		bytes.Contains(r.Raw, []byte("Access-Control-Request-Method:"))
}
