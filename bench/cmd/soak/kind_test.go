package main

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/bench/internal/service"
	"github.com/goverso/verso/locales"
)

func TestKinds(t *testing.T) {
	translator, err := locales.New()
	require.NoError(t, err)
	for _, f := range service.Frameworks {
		for _, s := range service.Schemes {
			server := httptest.NewServer(f.Versioned(s, translator))
			c := &client{address: server.Listener.Addr().String()}
			for n, k := range slices.Concat(ordinary, hostile) {
				t.Run(f.Name+"/"+s.Name+"/"+k.name, func(t *testing.T) {
					e := k.exchange(s, n)
					status, err := c.do(&e)
					assert.NoError(t, err)
					assert.Equal(t, e.want.status, status)
				})
			}
			c.close()
			server.Close()
		}
	}
}

// A kind that invents something must invent another thing each time, else the
// soak finds no memory that grows.
func TestInventions(t *testing.T) {
	for _, k := range hostile {
		t.Run(k.name, func(t *testing.T) {
			s := service.Schemes[0]
			first, second := k.exchange(s, 1), k.exchange(s, 2)
			text, other := string(first.appendTo(nil)), string(second.appendTo(nil))
			switch k.name {
			case "invented versions", "invented languages", "invented hosts":
				assert.NotEqual(t, text, other)
			case "Accept of 64 KiB":
				assert.Greater(t, len(first.Accept), 64<<10)
			case "Accept of 1,000 ranges":
				assert.Equal(t, 1001, 1+strings.Count(first.Accept, ","))
			case "query of 10,000 pairs":
				assert.Equal(t, 10_000, strings.Count(first.Query, "="))
			default:
				t.Fatal("this kind has no check")
			}
		})
	}
}
