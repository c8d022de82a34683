package main

import (
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
)

var update = flag.Bool("update", false, "write the output of the demo to testdata/demo.txt")

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	m.Run()
}

func TestOutput(t *testing.T) {
	const golden = "testdata/demo.txt"
	var output strings.Builder
	require.NoError(t, run(&output, frameworks))
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(output.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), output.String(), "if this is meant: go test ./demo -update")
}

// TestDifferences breaks the second framework in one respect each.
func TestDifferences(t *testing.T) {
	tests := []struct {
		name  string
		wreck func(http.Handler) http.Handler
		want  string
	}{
		{
			name: "status",
			wreck: func(http.Handler) http.Handler {
				return http.NotFoundHandler()
			},
			want: "echo and gin differ in the status: URLPathVersioning, GET /v1/users/1  Host: example.com\n",
		},
		{
			name: "Vary",
			wreck: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Vary", "Origin")
					next.ServeHTTP(w, r)
				})
			},
			want: "echo and gin differ in the Vary field: HostNameVersioning, GET /users/1  Host: v9.example.com\n",
		},
		{
			name: "links",
			wreck: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					r.Host += ":8080"
					next.ServeHTTP(w, r)
				})
			},
			want: "echo and gin differ in the body: QueryParameterVersioning, GET /users?page=2&version=v2  Host: example.com",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			broken := framework{"gin", func(config verso.Config) (http.Handler, error) {
				handler, err := frameworks[1].serve(config)
				return test.wreck(handler), err
			}}
			err := run(new(strings.Builder), []framework{frameworks[0], broken})
			require.ErrorContains(t, err, test.want)
		})
	}
}
