// Command demo shows the five schemes at work. It serves package api with Echo
// and with Gin, each on a loopback port, sends both the requests that a client
// would send, and prints the answers. It fails when the frameworks differ.
//
//	go run ./demo
package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/api/echoapi"
	"github.com/goverso/verso/examples/api/ginapi"
	"github.com/goverso/verso/examples/internal/client"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	var out strings.Builder
	err := run(&out, frameworks)
	fmt.Print(out.String())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// framework serves the API.
type framework struct {
	name  string
	serve func(verso.Config) (http.Handler, error)
}

var frameworks = []framework{
	{"echo", func(config verso.Config) (http.Handler, error) { return echoapi.New(config) }},
	{"gin", func(config verso.Config) (http.Handler, error) { return ginapi.New(config) }},
}

var schemes = []string{
	verso.AcceptHeaderVersioning,
	verso.URLPathVersioning,
	verso.NamespaceVersioning,
	verso.HostNameVersioning,
	verso.QueryParameterVersioning,
}

// question is a request before a scheme says where its version stands.
type question struct {
	version   string // "" for none
	target    string
	showLinks bool
}

var questions = []question{
	{"v1", "/users/1", false},
	{"v2", "/users/1", false},
	{"", "/users/1", false},
	{"v9", "/users/1", false},
	{"v2", "/users?page=2", true},
}

// run asks all questions in all schemes. The error names each answer in which
// the frameworks differ.
func run(out *strings.Builder, frameworks []framework) error {
	config := verso.Config{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2"}}
	fmt.Fprintf(out, "Allowed versions: %s. Default version: %s.\n", strings.Join(config.AllowedVersions, ", "), config.DefaultVersion)

	var differences []error
	for _, config.Scheme = range schemes {
		fmt.Fprintf(out, "\n%s\n\n", config.Scheme)
		different, err := runScheme(out, frameworks, config)
		if err != nil {
			return fmt.Errorf("%s: %w", config.Scheme, err)
		}
		differences = append(differences, different...)
	}
	if len(differences) > 0 {
		return errors.Join(differences...)
	}
	fmt.Fprintf(out, "\n%s agree in all %d answers.\n", nameAll(frameworks, " and "), len(schemes)*len(questions))
	return nil
}

// runScheme asks all questions in one scheme.
func runScheme(out *strings.Builder, frameworks []framework, config verso.Config) (differences []error, err error) {
	clients := make([]*http.Client, len(frameworks))
	for i, f := range frameworks {
		handler, err := f.serve(config)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		server, err := start(handler)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		defer server.stop()
		clients[i] = client.New(server.addr)
		defer clients[i].CloseIdleConnections()
	}

	for _, q := range questions {
		request, err := client.NewRequest(config.Scheme, q.version, "example.com", q.target)
		if err != nil {
			return nil, err
		}
		answers := make([]answer, len(frameworks))
		for i, f := range frameworks {
			if answers[i], err = ask(clients[i], request); err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
		}
		printRequest(out, request)
		if err := printAnswers(out, frameworks, answers, q.showLinks); err != nil {
			return nil, err
		}
		for i := range answers[1:] {
			if what := answers[0].differsIn(answers[i+1]); what != "" {
				differences = append(differences, fmt.Errorf("%s and %s differ in the %s: %s, %s",
					frameworks[0].name, frameworks[i+1].name, what, config.Scheme, describe(request)))
			}
		}
	}
	return differences, nil
}
