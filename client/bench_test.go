package client_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
)

// BenchmarkRoundTrip measures what the client adds to a base that answers at once.
func BenchmarkRoundTrip(b *testing.B) {
	for _, answer := range []struct {
		name   string
		fields []string
	}{
		{"nothing to say", []string{"Content-Type", "application/json"}},
		{"five fields", []string{
			"Deprecation", "@1751241600", "Sunset", "Fri, 01 Jan 2027 00:00:00 GMT",
			"Link", `<https://api.example.com/move>; rel="deprecation"; type="text/html"`,
			"Api-Supported-Versions", "v2, v3", "Api-Deprecated-Versions", "v1",
		}},
	} {
		send := answering(200, answer.fields...)
		b.Run(answer.name+"/base", func(b *testing.B) { exchange(b, send, "http://api.example.com/") })
		b.Run(answer.name+"/client", func(b *testing.B) { exchange(b, verso.Must(client.New(v1(send, nil))), "http://api.example.com/") })
	}
}

func exchange(b *testing.B, sender http.RoundTripper, target string) {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, target, http.NoBody)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		response, err := sender.RoundTrip(r)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}
