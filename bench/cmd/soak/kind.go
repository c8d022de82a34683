package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/goverso/verso/bench/internal/service"
)

// kind is a kind of requests, with the answers that are right.
type kind struct {
	name    string
	hostile bool

	// exchange returns the n-th request of the kind for a scheme, and its
	// answer. What the kind invents is another for each n.
	exchange func(s *service.Scheme, n int) exchange
}

// exchange is a request and the answer that is right.
type exchange struct {
	service.Request
	language string // Accept-Language, "" for none
	want     answer
}

// answer is what a client looks at.
type answer struct {
	status   int
	version  string // in the body of a 200
	language string // Content-Language
}

// good is the kind whose latency is measured.
var good = &kind{"a version that is served", false, func(s *service.Scheme, n int) exchange {
	version := []string{"v1", "v2", "v3"}[n%3]
	return exchange{Request: s.Request(version), want: served(version)}
}}

// ordinary are the kinds that any client sends. Most requests are good.
var ordinary = []*kind{good, good, good, good,
	{"no version", false, func(s *service.Scheme, _ int) exchange {
		return exchange{Request: s.Request(""), want: served("v1")}
	}},
	{"a version that is not served, in German", false, func(s *service.Scheme, _ int) exchange {
		return exchange{s.Request(service.NotServed), "de, en;q=0.5", refused(s, "de")}
	}},
}

// hostile are the kinds that only somebody sends who means harm.
var hostile = []*kind{
	{"Accept of 64 KiB", true, func(s *service.Scheme, _ int) exchange {
		return withAccept(s, longAccept)
	}},
	{"Accept of 1,000 ranges", true, func(s *service.Scheme, _ int) exchange {
		return withAccept(s, manyRanges)
	}},
	{"query of 10,000 pairs", true, func(s *service.Scheme, _ int) exchange {
		e := exchange{Request: s.Request("v2"), want: served("v2")}
		e.Query = manyPairs + e.Query
		return e
	}},
	{"invented versions", true, func(s *service.Scheme, n int) exchange {
		e := exchange{Request: s.Request("bad" + strconv.Itoa(n)), want: refused(s, "en")}
		if s.Name == "namespace" {
			e.want.language = "" // there is no such route, so that the framework answers
		}
		return e
	}},
	{"invented languages", true, func(s *service.Scheme, n int) exchange {
		language := fmt.Sprintf("qaa-x-n%d, q%08d, zz-%08d;q=0.5", n, n%1e8, n%1e8)
		return exchange{s.Request(service.NotServed), language, refused(s, "en")}
	}},
	{"invented hosts", true, func(s *service.Scheme, n int) exchange {
		e := exchange{Request: s.Request("v2"), want: served("v2")}
		e.Host = fmt.Sprintf("h%d.of.nobody.example", n)
		if s.Name == "hostname" {
			e.want.version = "v1" // four labels hold no version
		}
		return e
	}},
}

var (
	longAccept = "application/json" + strings.Repeat("; parameter=value", (64<<10)/len("; parameter=value")+1)
	manyRanges = strings.Repeat("text/plain;q=0.1, ", 1000) + "application/json"
	manyPairs  = strings.Repeat("pair=value&", 10_000)
)

// withAccept asks for v2 with an Accept header beyond the bounds of package
// mediatype, which only the Accept scheme reads.
func withAccept(s *service.Scheme, accept string) exchange {
	e := exchange{Request: s.Request("v2"), want: served("v2")}
	e.Accept = accept
	if s.Name == "accept_header" {
		e.Accept += "; version=v2"
		e.want = refused(s, "en")
	}
	return e
}

func served(version string) answer {
	return answer{status: http.StatusOK, version: version}
}

func refused(s *service.Scheme, language string) answer {
	return answer{status: s.Status, language: language}
}
