// Package api is what the servers in Echo and in Gin share: the versions and
// their dates, bookings and errors as each version has them, tokens, metrics, and
// the OpenAPI documents.
package api

import (
	"crypto/subtle"
	_ "embed"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/examples/bookings/store"
	"github.com/goverso/verso/examples/metrics"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/usage"
)

// Config is what a deployment decides. All of it is required.
type Config struct {
	Store    *store.Store
	Log      *slog.Logger
	Secret   []byte           // signs tokens
	Password string           // of the user "team", who may see Usage
	Clock    func() time.Time // time.Now, but in tests
	Origin   string           // begins all links: "https://api.acme.example"
}

// Service is the service without a framework.
type Service struct {
	Config
	Versions   *catalogue.Catalogue
	Versioning *verso.Versioning
	History    *migrate.History
	Metrics    http.Handler // for Prometheus
	Usage      http.Handler // who calls which version: for the team, in a browser
}

// Index is what GET / answers.
const Index = `Bookings, in three versions. examples/bookings/README.md is a tour.

GET  /versions             the versions and their dates
GET  /v3/openapi.json      the OpenAPI document of a version
POST /login                a token: curl -d client=shop http://.../login
GET  /v3/bookings          bookings, with the header Authorization: Bearer TOKEN
GET  /bookings             the same, with a version in Api-Version or Accept
GET  /usage                who calls which version, for the user team
GET  /health, /metrics     for operators
`

//go:embed catalogue.json
var plan []byte

// New returns the service. The errors are those of the catalogue and of the
// versioning.
func New(config Config) (*Service, error) {
	versions, err := catalogue.Parse(plan)
	if err != nil {
		return nil, err
	}
	registry := prometheus.NewRegistry()
	count, err := metrics.Prometheus(registry)
	if err != nil {
		return nil, err
	}
	if err := metrics.Sunsets(registry, versions); err != nil {
		return nil, err
	}
	versioned := verso.Config{
		Catalogue: versions,
		Clock:     config.Clock,
		Observe:   count,
		Produces:  []string{"application/json"},
		Links:     verso.LinkConfig{Origin: config.Origin},
		Strict:    verso.Strict(),
	}
	calls := usage.NewTable(&versioned) // beside the metrics
	versioning, err := verso.New(
		verso.Agree(
			verso.PathParam("version"), // old clients
			verso.Header("Api-Version"),
			verso.MediaType("application/vnd.acme.{version}+json"),
		),
		versioned,
	)
	if err != nil {
		return nil, err
	}
	history, err := newHistory(versioning)
	if err != nil {
		return nil, err
	}
	return &Service{
		History:    history,
		Config:     config,
		Versions:   versions,
		Versioning: versioning,
		Metrics:    promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true}), // the servers compress
		Usage:      forTeam(config.Password, calls.Handler(nil)),
	}, nil
}

// forTeam lets through who knows the password, which a browser asks for (RFC 7617).
func forTeam(password string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, given, _ := r.BasicAuth()
		if user != "team" || subtle.ConstantTimeCompare([]byte(given), []byte(password)) != 1 {
			w.Header().Set("WWW-Authenticate", `Basic realm="usage", charset="UTF-8"`)
			http.Error(w, http.StatusText(http.StatusUnauthorized), http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
