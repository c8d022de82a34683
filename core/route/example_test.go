package route_test

import (
	"errors"
	"fmt"

	"github.com/goverso/verso/core/route"
)

func ExampleTable_Path() {
	table := route.NewTable(
		route.Route{Name: "user", Pattern: route.Braces("/users/{id}")},
		route.Route{Name: "user", Pattern: route.Braces("/users/{id}.{format}")},
	)
	fmt.Println(table.Path("user", map[string]any{"id": 7}))
	fmt.Println(table.Path("user", map[string]any{"id": "a b", "format": "json"}))
	fmt.Println(table.Path("user", map[string]any{"pk": 7}))
	fmt.Println(table.Path("users", nil))
	// Output:
	// /users/7 <nil>
	// /users/a%20b.json <nil>
	//  no reverse match: route "user" takes (id) or (id, format), not (pk)
	//  no reverse match: no route is called "users"
}

func ExampleTable_Find() {
	table := route.NewTable(
		route.Route{Name: "user", Pattern: route.Colons("/users/:id")},
		route.Route{Name: "user", Pattern: route.Colons("/staff/:id"), Host: "admin.example.com"},
	)
	params := &route.Params{Named: map[string]any{"id": 7}}
	for _, host := range []string{"example.com", "admin.example.com"} {
		found, err := table.Find(host, "user", params)
		if err != nil {
			panic(err)
		}
		fmt.Println(found.Pattern)
	}
	// Output:
	// /users/:id
	// /staff/:id
}

func ExampleTable_Routes() {
	table := route.NewTable(
		route.Route{Name: "users", Method: "GET", Pattern: route.Braces("/users")},
		route.Route{Name: "user", Method: "GET", Pattern: route.Braces("/users/{id}")},
	)
	for r := range table.Routes() {
		fmt.Println(r.Method, r.Pattern, r.Name, r.Pattern.Params())
	}
	// Output:
	// GET /users users []
	// GET /users/{id} user [id]
}

func ExampleRoute_AppendPath() {
	table := route.NewTable(route.Route{Name: "user", Pattern: route.Colons("/users/:id")})
	params := &route.Params{Positional: []any{7}}
	found, err := table.Find("", "user", params)
	if err != nil {
		panic(err)
	}
	built, err := found.AppendPath([]byte("https://example.com"), params)
	fmt.Println(string(built), err)
	// Output: https://example.com/users/7 <nil>
}

// Parameters that are texts already need no map.
func ExampleRoute_AppendPathFunc() {
	matched := route.Route{Pattern: route.Colons("/users/:id/files/:file")}
	values := []string{"7", "a b"}
	path, ok := matched.AppendPathFunc(nil, func(position int, _ string) (string, bool) { return values[position], true })
	fmt.Println(string(path), ok, matched.Pattern.ParamAt(1))
	// Output: /users/7/files/a%20b true file
}

func ExampleTable_FindInNamespace() {
	table := route.NewTable(
		route.Route{Name: "v1:user", Pattern: route.Colons("/v1/users/:id")},
		route.Route{Name: "v2:user", Pattern: route.Colons("/v2/people/:id")},
	)
	for r := range table.Routes() {
		fmt.Println(table.FindInNamespace("", "v2", "", r).Pattern)
	}
	// Output:
	// /v2/people/:id
	// /v2/people/:id
}

func ExampleTable_FindRenamed() {
	users := route.Route{Name: "user", Pattern: route.Colons("/users/:id")}
	people := route.Route{Name: "user", Pattern: route.Colons("/people/:id")}
	table := route.NewTable(users, people)
	inV2 := func(r *route.Route) bool { return r.Pattern.String() == "/people/:id" }
	fmt.Println(table.FindRenamed("", "", &users, inV2).Pattern)
	// Output: /people/:id
}

func ExampleRoute_Namespaces() {
	r := route.Route{Name: "api:v1:user-list"}
	fmt.Println(r.Namespace(), r.Namespaces())
	// Output: api:v1 [api v1]
}

// An adapter that knows the matched route from its registration passes it to
// requests without a lookup.
func ExampleRoute_Prepare() {
	matched := route.Route{Name: "api:v1:user", Pattern: route.Colons("/users/:id")}.Prepare()
	fmt.Println(matched.Namespaces(), matched.Pattern.HasParam("id"))
	// Output: [api v1] true
}

func ExampleJoin() {
	fmt.Println(route.Join("v1", "user-list"))
	fmt.Println(route.Join("", "user-list"))
	// Output:
	// v1:user-list
	// user-list
}

// Fiber ends the name of a parameter at a hyphen, which Echo and Gin do not.
func ExampleNewPattern() {
	pattern, err := route.NewPattern("/flights/:from-:to/*1",
		route.Literal("/flights/"), route.Param("from"), route.Literal("-"), route.Param("to"),
		route.Literal("/"), route.Rest("*1"))
	if err != nil {
		panic(err)
	}
	table := route.NewTable(route.Route{Name: "flight", Pattern: pattern})
	fmt.Println(table.Path("flight", map[string]any{"from": "LAX", "to": "SFO", "*1": "seats/12A"}))
	// Output: /flights/LAX-SFO/seats/12A <nil>
}

// A pattern that is not understood fails when a link is built, not when it is
// made.
func ExampleNewPattern_notUnderstood() {
	pattern, _ := route.NewPattern("/users/:id?") // without parts
	table := route.NewTable(route.Route{Name: "user", Pattern: pattern})
	_, err := table.Path("user", map[string]any{"id": 7})
	fmt.Println(err)
	fmt.Println(errors.Is(err, route.ErrPattern))
	// Output:
	// route "user": pattern not understood: "/users/:id?": the pattern has no parts
	// true
}

func ExampleColons() {
	fmt.Println(route.Colons("/users/:id/files/*").Params())
	fmt.Println(route.Colons("/users/:id<int>").Err())
	// Output:
	// [id *]
	// pattern not understood: "/users/:id<int>": the path parameter "id<int>" contains "<": make the pattern of the route with route.NewPattern
}

func ExampleBraces() {
	fmt.Println(route.Braces("/users/{id:[0-9]+}/files/{path...}").Params())
	fmt.Println(route.Braces("/files/{path:.*}").Err())
	// Output:
	// [id path]
	// pattern not understood: "/files/{path:.*}": the path parameter "path": the expression ".*" can match a slash: make the pattern of the route with route.NewPattern
}

func ExamplePattern_Lead() {
	fmt.Println(route.Colons("/api/v2/users/:id").Lead())
	fmt.Println(route.Braces("/api/v2/users").Lead())
	optional, _ := route.NewPattern("/api/v2/users/:id?") // not understood
	fmt.Println(optional.Lead())
	// Output:
	// /api/v2/users/ false
	// /api/v2/users true
	// /api/v2/users/ false
}

func ExamplePattern_Takes() {
	pattern := route.Braces("/{version:v[12]}/users")
	fmt.Println(pattern.Takes("version", "v2"), pattern.Takes("version", "v3"))
	// Output: true false
}

func ExamplePattern_Template() {
	fmt.Println(route.Colons("/users/:id/files/*path").Template())
	fmt.Println(route.Braces("/users/{id}/files/{path...}").Template())
	// Output:
	// /users/{id}/files/{+path}
	// /users/{id}/files/{+path}
}

func ExamplePattern_Shape() {
	fmt.Println(route.Colons("/users/:id/files/*").Shape())
	fmt.Println(route.Braces("/users/{pk}/files/{path...}").Shape())
	// Output:
	// /users/{}/files/{*}
	// /users/{}/files/{*}
}

// A resource has one path and a route for each method.
func ExampleRoute_SamePath() {
	table := route.NewTable(
		route.Route{Name: "user", Method: "GET", Pattern: route.Colons("/users/:id")},
		route.Route{Method: "PATCH", Pattern: route.Colons("/users/:user")},
		route.Route{Name: "users", Method: "GET", Pattern: route.Colons("/users")},
	)
	for r := range table.Routes() {
		if r.Name != "user" {
			continue
		}
		for _, same := range r.SamePath() {
			fmt.Println(same.Method, same.HasName(), same.IsSamePath(r))
		}
	}
	// Output:
	// GET true true
	// PATCH false false
}

func ExampleEscaped() {
	pattern, err := route.NewPattern("files", route.Escaped("/a%2Fb/"), route.Literal("100%/"), route.Rest("path"))
	if err != nil {
		fmt.Println(err)
		return
	}
	table := route.NewTable(route.Route{Name: "file", Pattern: pattern})
	fmt.Println(table.Path("file", map[string]any{"path": "c/d e"}))
	// Output:
	// /a%2Fb/100%25/c/d%20e <nil>
}

// Links could lead to either path.
func ExampleAmbiguous() {
	fmt.Println(route.Ambiguous([]*route.Route{
		{Name: "user", Pattern: route.Colons("/users/:id")},
		{Name: "user", Pattern: route.Colons("/people/:id")},
	}, nil))
	// Output:
	// no reverse match: the name "user" means both "/users/:id" and "/people/:id": rename one of them
}
