package main

// threats is the threat model. The test of a row names one package's; adapters
// share the conformance suite, so what fails in one of them fails in all.
var threats = []threat{
	{
		sender: "Clients of several versions behind one cache",
		danger: "A cache hands the answer to one version to a client of another (missing `Vary`)",
		answer: "In the Accept scheme `Vary: Accept` is on every response to a matched request: without the header, on 304, on errors, on refusals; a `Vary` of the handler's stays",
		protections: []protection{
			{"core/versioning.go", "	AddVary(response, v.vary...)\n", "", "adapters/versogin", "TestCaching"},
			{"core/versioning.go", "	AddVary(response, v.vary...)\n	if err != nil {\n", "	if err == nil {\n		AddVary(response, v.vary...)\n	}\n	if err != nil {\n", "adapters/versoecho", "TestCaching"},
			{"core/vary.go", "			lines = append(lines, name)\n", "			lines = []string{name}\n", "core", "TestAddVary"},
		},
	},
	{
		sender: "Clients of several languages behind one cache",
		danger: "A cache hands a refusal to a client of another language",
		answer: "Translated refusals have `Vary: Accept-Language` and `Content-Language`",
		protections: []protection{
			{"core/problem.go", "		AddVary(response, \"Accept-Language\")\n", "", "adapters/versohttp", "TestCaching"},
		},
	},
	{
		sender: "Any client: a `Host` of its own choosing",
		danger: "Links lead to a foreign host (cache poisoning, password reset mails)",
		answer: "`TrustedHosts` and `Origin`; an untrusted host gets relative URLs; `X-Forwarded-*` and `Forwarded` are not read",
		protections: []protection{
			{"core/links.go", "if r == nil || !validHost(host) || !c.trusts(host) {", "if r == nil || !validHost(host) {", "core", "TestTrustedHosts"},
			{"core/links.go", "	if r == nil || !validHost(host)", "	if r != nil && r.Header.Get(\"X-Forwarded-Host\") != \"\" {\n		host = r.Header.Get(\"X-Forwarded-Host\")\n	}\n	if r == nil || !validHost(host)", "core", "TestOrigin"},
			{"core/versioning.go", "absolute && !v.config.Links.trusts(built[start:end])", "absolute && false", "core", "TestVersioningReverse"},
		},
	},
	{
		sender: "Any client: a `Host` outside of the service's domains",
		danger: "A request for another service gets the default version",
		answer: "As the specification says, unless `Strictness.BaseDomains` refuses it with 421",
		protections: []protection{
			{"core/strict.go", "	case len(s.hosts) > 0 && !s.serves(r.Host()):\n", "	case false:\n", "adapters/versohttp", "TestStrictness"},
			{"core/strict.go", "	if !validHost(host) {\n		return false\n	}\n", "", "core", "TestBaseDomains"},
		},
	},
	{
		sender: "Any client: a `Host` that is none (`a b`, `user@host`, `host:x`, a broken IPv6 address, `host:99999`)",
		danger: "A link that browsers read otherwise than the service",
		answer: "Only names, IPv4 and bracketed IPv6 addresses with a port from 0 to 65535 stand in a URL; else it is relative. Upper case and a trailing dot stay as they were sent, and are trusted only as configured",
		protections: []protection{
			{"core/links.go", "if r == nil || !validHost(host) ||", "if r == nil || host == \"\" ||", "core", "TestHostileHosts"},
			{"core/links.go", "port != \"\" && !validPort(port[1:])", "false && !validPort(port)", "core", "TestHostileHosts"},
			{"core/links.go", "return ok && err == nil && parsed.Is6() && parsed.Zone() == \"\"", "return ok || err == nil && parsed.Is6()", "core", "TestHostileHosts"},
			{"core/links.go", "return strings.EqualFold(trusted, host)", "return trusted == host", "core", "TestTrustedHosts"},
		},
	},
	{
		sender: "A proxy, through the service's own `OriginFunc`",
		danger: "An origin that no URL may begin with (`javascript:`, a line break, an untrusted host)",
		answer: "What it returns is checked each time; the reversal fails",
		protections: []protection{
			{"core/links.go", "			if err := c.checkOrigin(origin); err != nil {\n				return dst, fmt.Errorf(\"verso: OriginFunc: %w\", err)\n			}\n", "", "core", "TestOriginFuncReturnsNonsense"},
		},
	},
	{
		sender: "Any client: line breaks, NUL, markup, bidirectional controls, 64 KiB, invalid UTF-8 as its version",
		danger: "Header injection, cross-site scripting, a response that programs cannot read",
		answer: "Nothing that the client sent stands in a header or a body of a refusal; the body is JSON",
		protections: []protection{
			{"core/error.go", "Message: english[r.id], Version: v}", "Message: english[r.id] + v.String(), Version: v}", "adapters/versoecho", "TestHostile"},
			{"core/error.go", "Message: english[r.id], Version: v}", "Message: english[r.id] + v.String(), Version: v}", "adapters/versogin", "TestHostile"},
		},
	},
	{
		sender: "Any client: the same, and the service logs the error",
		danger: "Forged or flooded log lines",
		answer: "`Error()` holds nothing of the client's; `LogValue` quotes the version in ASCII, cut to 64 bytes",
		protections: []protection{
			{"core/version.go", "	return slog.StringValue(quoteBounded(v.String()))\n", "	return slog.StringValue(v.String())\n", "core", "TestVersionLogValue"},
			{"core/version.go", "	if len(text) > maxLoggedBytes {\n", "	if false {\n", "core", "TestVersionLogValue"},
		},
	},
	{
		sender: "Any client: `?version=v1&version=v2`, `version=v1; version=v2`",
		danger: "Two parts of the system read different versions",
		answer: "The last one counts, in every adapter; `Strictness` refuses contradictions and empty versions with 400",
		protections: []protection{
			{"core/strict.go", "	case s.contradictory != nil && s.contradictory.contradicts(r, request):\n", "	case false:\n", "adapters/versogin", "TestStrictness"},
			{"core/strict.go", "	case s.refuseEmpty && !version.IsNone() && version.String() == \"\":\n", "	case false:\n", "adapters/versoecho", "TestStrictness"},
			{"core/query.go", "strings.LastIndexByte(rawQuery, '&'); amp >= 0 {\n			rawQuery, pair = rawQuery[:amp], rawQuery[amp+1:]", "strings.IndexByte(rawQuery, '&'); amp >= 0 {\n			pair, rawQuery = rawQuery[:amp], rawQuery[amp+1:]", "core", "TestQueryParam"},
			{"core/mediatype/mediatype.go", "if n, v := splitParam(param); equalFold(n, name) {", "if n, v := splitParam(param); !ok && equalFold(n, name) {", "core/mediatype", "TestParam"},
		},
	},
	{
		sender: "Any client: escapes in the path (`%2F`, `%252F`, `%2B`)",
		danger: "A path argument that the framework decodes twice, or not at all",
		answer: "Path arguments are decoded once in every adapter, and built so that they come back the same",
		protections: []protection{
			{"adapters/versoecho/request.go", "if plain, err := url.PathUnescape(values[i]); err == nil {", "if plain, err := url.PathUnescape(url.PathEscape(values[i])); err == nil {", "adapters/versoecho", "TestRoundTrip"},
			{"adapters/versoecho/request.go", "		if c.Request().URL.RawPath == \"\" {\n			return values[i], true\n		}\n", "", "adapters/versoecho", "TestConformance"},
			{"core/route/build.go", "	return appendEscaped(dst, text, p.bytes, p.rest), nil\n", "	return append(dst, text...), nil\n", "adapters/versogin", "TestRoundTrip"},
		},
	},
	{
		sender: "Whoever chooses an argument of a link: `..`, a slash, an empty text",
		danger: "A link that leads to another route",
		answer: "Such values cannot stand in a segment: the reversal fails",
		protections: []protection{
			{"core/route/build.go", "	if err := p.fits(text); err != nil {\n		return dst, err\n	}\n", "", "core/route", "TestEscaping"},
		},
	},
	{
		sender: "Any client: a host, while the service's own host pattern is expensive or not anchored",
		danger: "ReDoS; `v1.example.com.evil.com` taken for `v1.example.com`",
		answer: "Go's regular expressions are linear (RE2); hosts of more than 512 bytes match none; the pattern must match the whole host",
		protections: []protection{
			{"core/hostname.go", "	if len(name) > maxHostBytes {\n		return 0, 0, false\n	}\n", "", "core", "TestHostNamePattern"},
			{"core/hostname.go", "regexp.MustCompile(`\\A(?:` + pattern + `)\\z`)", "regexp.MustCompile(pattern)", "core", "TestHostNamePattern"},
		},
	},
	{
		sender: "Any client: an Accept header of 1 MiB, 10,000 media ranges",
		danger: "Processor time",
		answer: "Beyond 8 KiB or 128 ranges the header accepts nothing (406), after a look at its length or at 129 ranges",
		protections: []protection{
			{"core/mediatype/negotiate.go", "	return total > MaxBytes\n", "	return false\n", "core/mediatype", "TestNegotiateBounds"},
			{"core/mediatype/negotiate.go", "{ return rr.count > MaxRanges }", "{ return false }", "core/mediatype", "TestNegotiateBounds"},
		},
	},
	{
		sender: "Any client: a query of 10,000 pairs",
		danger: "Processor time and memory for a table of all of them",
		answer: "The query is scanned from its end, without an allocation",
		protections: []protection{
			{"core/query.go", "	for more := true; more; {\n		pair := rawQuery\n", "	all, _ := url.ParseQuery(rawQuery)\n	for more := all != nil; more; {\n		pair := rawQuery\n", "core", "TestQueryParamAllocs"},
		},
	},
	{
		sender: "Any client: an Accept-Language header of 64 KiB",
		danger: "Processor time on each refusal",
		answer: "The first 256 bytes and 10 ranges count",
		protections: []protection{
			{"locales/acceptlanguage.go", "		if len(line) > bytesLeft {\n", "		if false {\n", "locales", "TestMessagesChoosesLanguage"},
			{"locales/acceptlanguage.go", "			if elementsLeft == 0 {\n", "			if false {\n", "locales", "TestMessagesChoosesLanguage"},
		},
	},
	{
		sender: "Any client: a million versions, hosts and languages that it invents",
		danger: "Memory that grows",
		answer: "All tables are made when the middleware is built; what a request names is never kept",
		protections: []protection{
			{"core/versioning.go", "	return &Determined{version, v}, nil\n", "	v.know(version)\n	return v.known[version], nil\n", "core", "TestDetermineInventedVersion"},
		},
	},
	{
		sender: "Many clients at once",
		danger: "A request gets the version, the link or the language of another",
		answer: "What is built does not change; what belongs to a request is kept with the request, and emptied before it is used again",
		protections: []protection{
			{"adapters/versogin/request.go", "var requests = sync.Pool{New: func() any { return new(request) }}", "var requests = sync.Pool{New: func() any { return shared }}\n\nvar shared = new(request)", "adapters/versogin", "TestConcurrent"},
			{"core/versioning.go", "config.Links.TrustedHosts = slices.Clone(config.Links.TrustedHosts)", "config.Links.TrustedHosts = slices.Clip(config.Links.TrustedHosts)", "core", "TestVersioningDoesNotChange"},
		},
	},
	{
		sender: "The service's own `Translator`, `Scheme` or `ErrorHandler`, when it fails",
		danger: "A broken header, a refusal that looks like success",
		answer: "The request fails cleanly, and the next one is served: see [reliability.md](docs/reliability.md#faults)",
		protections: []protection{
			{"core/problem.go", "		if isLanguageTag(language) {\n", "		if true {\n", "core", "TestContentLanguage"},
			{"core/versioning.go", "		err = checkRefusal(err)\n", "", "core", "TestDetermineErrors"},
			{"adapters/versoecho/versoecho.go", "	if err == nil && !c.Response().Committed {\n", "	if false {\n", "adapters/versoecho", "TestErrorHandlerThatAnswersNothing"},
		},
	},
	{
		sender: "The service's owner: `v1` and `V1`, a Cyrillic letter in a version",
		danger: "Two versions that nobody can tell apart",
		answer: "A warning in the log when the middleware is built",
		protections: []protection{
			{"core/versioning.go", "		warnOfLookalikes(allowedVersions(settings))\n", "", "core", "TestLookalikesAreLogged"},
		},
	},
	{
		sender: "The service's owner: a misspelt key, an unknown scheme, a pattern without group, a list with a version twice",
		danger: "A configuration that lets everything through (fail-open)",
		answer: "An error when the middleware is built, which says what to change",
		protections: []protection{
			{"core/config.go", "	decoder.DisallowUnknownFields()\n", "", "core", "TestConfigJSONErrors"},
			{"core/config.go", "		if v.IsNone() {\n", "		if false {\n", "core", "TestConfigJSONErrors"},
			{"core/hostname.go", "own.NumSubexp() < 1", "own.NumSubexp() < 0", "core", "TestNewHostNameErrors"},
			{"core/settings.go", "		if seen[text] {\n", "		if false {\n", "core", "TestDuplicateVersion"},
			{"core/acceptheader.go", "	if !mediatype.IsToken(base.rules.VersionParam) {\n", "	if false {\n", "core", "TestNewAcceptHeaderErrors"},
			{"adapters/versogin/versogin.go", "		if _, ok := scheme.(*verso.Namespace); ok {\n", "		if false {\n", "adapters/versogin", "TestInvalidOptions"},
		},
	},
	{
		sender: "Any client: a version that is not served",
		danger: "The handler runs all the same",
		answer: "The chain ends there",
		protections: []protection{
			{"adapters/versogin/versogin.go", "	c.Abort()\n", "", "adapters/versogin", "TestRefusedRequestsDoNotGoOn"},
		},
	},
	{
		sender: "Any client: the method `echo_route_not_found`, with which Echo marks its own routes",
		danger: "A request that skips the version check",
		answer: "It is not taken for Echo's mark",
		protections: []protection{
			{"adapters/versoecho/routes.go", "method != echo.RouteNotFound // which", "true // which", "adapters/versoecho", "TestRouteNotFoundIsNoMethodOfClients"},
		},
	},
}
