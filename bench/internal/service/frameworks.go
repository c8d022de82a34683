package service

// Framework makes services.
type Framework struct {
	Name  string
	Serve func(o *Options) Server
}

// Frameworks are those that Verso has an adapter for.
var Frameworks = []*Framework{{"echo", inEcho}, {"gin", inGin}, {"echo5", inEcho5}, {"http", inHTTP},
	{"fiber", inFiber}, {"chi", inChi}}

// WithMiddleware are those whose adapter has a Middleware: Fiber's has none.
var WithMiddleware = Frameworks[:4]
