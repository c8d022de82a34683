package main

import (
	"testing"

	"github.com/goverso/verso/examples/quickstart/internal/check"
)

func TestServer(t *testing.T) { check.Dates(t, newServer) }
