package adapter_test

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// A service serves its ServeMux alone.
func ExampleNoteAround() {
	logs, log := io.Pipe()
	onlyCode := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key != "code" {
			return slog.Attr{}
		}
		return a
	}
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Logger:          slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{ReplaceAttr: onlyCode})),
	}), nil)
	mux := http.NewServeMux()
	adapter.NoteAround(b, "Middleware", mux, mux)
	runtime.GC()
	line, err := bufio.NewReader(logs).ReadString('\n')
	fmt.Print(line, err)
	runtime.KeepAlive(mux)
	// Output:
	// code=handler_dropped
	// <nil>
}
