package overhttp_test

import (
	"testing"

	"github.com/goverso/verso/core/internal/coretest"
)

func TestMain(m *testing.M) { coretest.Main(m) }
