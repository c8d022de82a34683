package conformance

// overlooked returns a check of a program that works, and may not do what its author meant: a
// finding of Explain reports it. The program is correct Go and runs, so no compiler and no test
// of the service finds the mistake. A group with options is a new value, and a program that
// throws it away compiles.
func overlooked(name string, app App) groupCheck {
	return groupCheck{"overlooked/" + name, inHeader, serving("v1", "v2"), app}
}

var oversights = []groupCheck{
	overlooked("used", App{Routes: inGroup(&Group{Prefix: "/a", Since: "v2", AfterCheck: ran("y")},
		answering("GET", "/x", "x"), answering("HEAD", "/x", "x"))}),
	overlooked("unused-plain", App{Routes: inGroup(&Group{Prefix: "/a", Unused: true},
		answering("GET", "/x", "x"))}),
	overlooked("unused-options", App{Routes: inGroup(&Group{Prefix: "/a", Since: "v2", Unused: true},
		answering("GET", "/x", "x"))}),
	overlooked("unused-middleware", App{Routes: inGroup(&Group{Prefix: "/a", AfterCheck: ran("y"), Unused: true},
		answering("GET", "/x", "x"))}),
	overlooked("unused-group", App{Routes: inGroup(&Group{Middleware: ran("a"), Unused: true},
		answering("GET", "/x", "x"))}),
}

// rewriteOversights are those of rewriting. An adapter may leave out the group of rewriting,
// hence the list apart.
var rewriteOversights = []groupCheck{
	overlooked("unused-rewriter", App{Routes: inGroup(&Group{Prefix: "/a", Rewriter: new(Shouting), Unused: true},
		answering("GET", "/x", "x"))}),
	overlooked("errors-not-rewritten", App{Routes: inGroup(&Group{Rewriter: new(Shouting)}, answering("GET", "/x", "x"))}),
	overlooked("errors-rewritten", App{RewriteErrors: true, Routes: inGroup(&Group{Rewriter: new(Shouting)}, answering("GET", "/x", "x"))}),
	{"errors-not-installed", inHeader, serving("v1", "v2"),
		App{RewriteErrorsUnused: true, Routes: inGroup(&Group{Rewriter: new(Shouting)}, answering("GET", "/said", "said"))}},
}
