package main

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/goverso/verso/bench/internal/service"
)

// kind is a kind of requests, with the answers that are right. What it invents is
// another thing for each n.
type kind struct {
	name string
	make func(s *service.Scheme, n int) (service.Request, answer)
}

// answer is what a client looks at.
type answer struct {
	status   int
	version  string // in the body of a 200
	language string // Content-Language
}

// good is the kind whose latency is measured.
var good = &kind{"a version that is served", func(s *service.Scheme, n int) (service.Request, answer) {
	version := service.Config.AllowedVersions[n%3]
	return s.Request(version), served(version)
}}

// ordinary are the kinds that any client sends. Most requests are good.
var ordinary = []*kind{
	good, good, good, good,
	{"no version", func(s *service.Scheme, _ int) (service.Request, answer) {
		return s.Request(""), served("v1")
	}},
	{"a version that is not served, in German", func(s *service.Scheme, _ int) (service.Request, answer) {
		return withField(s.Request(service.NotServed), "Accept-Language", "de, en;q=0.5"), rejected(s, "de")
	}},
}

// hostile are the kinds that only somebody sends who means harm.
var hostile = []*kind{
	{"Accept of 64 KiB", func(s *service.Scheme, _ int) (service.Request, answer) { return withAccept(s, longAccept) }},
	{"Accept of 1,000 ranges", func(s *service.Scheme, _ int) (service.Request,
		answer) {
		return withAccept(s, manyRanges)
	}},
	{"query of 9,900 pairs", func(s *service.Scheme, _ int) (service.Request, answer) {
		r := s.Request("v2")
		r.Query = manyPairs + r.Query
		return r, served("v2")
	}},
	{"invented versions", func(s *service.Scheme, n int) (service.Request, answer) {
		want := rejected(s, "en")
		if s.Name == "namespace" {
			want.language = "" // as in rejected
		}
		return s.Request(fmt.Sprint("bad", n)), want
	}},
	{"invented languages", func(s *service.Scheme, n int) (service.Request, answer) {
		languages := fmt.Sprintf("qaa-x-n%d, q%08d, zz-%08d;q=0.5", n, n%1e8, n%1e8)
		return withField(s.Request(service.NotServed), "Accept-Language", languages), rejected(s, "en")
	}},
	{"invented hosts", func(s *service.Scheme, n int) (service.Request, answer) {
		r, want := s.Request("v2"), served("v2")
		r.Host = fmt.Sprintf("h%d.of.nobody.example", n)
		if s.Name == "host" {
			want.version = "v1" // four labels hold no version
		}
		return r, want
	}},
}

var (
	longAccept = "application/json" + strings.Repeat("; parameter=value", (64<<10)/len("; parameter=value")+1)
	manyRanges = strings.Repeat("text/plain;q=0.1, ", 1000) + "application/json"
	manyPairs  = strings.Repeat("pair=value&", 9_900) // 10,000 and more are rejected
)

// withAccept asks for v2 with an Accept header beyond the bounds of package
// mediatype, which only two schemes read.
func withAccept(s *service.Scheme, accept string) (service.Request, answer) {
	want := served("v2")
	if s.Status == http.StatusNotAcceptable {
		want = rejected(s, "en")
	}
	return withField(s.Request("v2"), "Accept", accept+"; version=v2"), want
}

func withField(r service.Request, name, value string) service.Request {
	r.Fields = maps.Clone(r.Fields)
	r.Fields[name] = value
	return r
}

func served(version string) answer { return answer{status: http.StatusOK, version: version} }

func rejected(s *service.Scheme, language string) answer {
	if s.Status == 0 { // there is no such route, so that the framework answers
		return answer{status: http.StatusNotFound}
	}
	return answer{status: s.Status, language: language}
}
