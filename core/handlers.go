package verso

// Handlers maps versions to handlers. A handler serves its version and the later ones,
// up to the next key, in the order of the API's versions. A nil handler means that
// these versions do not have the route. The key "" is the handler of requests without
// a version, where they are allowed.
//
//	verso.Handlers[http.Handler]{"v1": listV1, "v3": listV3, "v5": nil}
type Handlers[H any] map[string]H
