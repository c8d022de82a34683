package coretest

import (
	"bytes"
	"encoding/json"
	"log"
	"log/slog"
	"strings"
	"testing"
)

// Logging makes the default logger write into the buffer, as JSON, until the end
// of the test.
func Logging(tb testing.TB) *bytes.Buffer {
	tb.Helper()
	var buffer bytes.Buffer
	logger, writer, flags := slog.Default(), log.Writer(), log.Flags()
	tb.Cleanup(func() {
		slog.SetDefault(logger)
		log.SetOutput(writer) // SetDefault has changed package log too
		log.SetFlags(flags)
	})
	slog.SetDefault(slog.New(slog.NewJSONHandler(&buffer, nil)))
	return &buffer
}

// Codes returns the codes of the warnings in a log.
func Codes(tb testing.TB, buffer *bytes.Buffer) (codes []string) {
	tb.Helper()
	for line := range strings.Lines(buffer.String()) {
		var record struct{ Level, Msg, Code, Field string }
		if err := json.Unmarshal([]byte(line), &record); err != nil || record.Level != "WARN" || record.Field == "" ||
			!strings.HasPrefix(record.Msg, "verso: ") {
			tb.Fatalf("logged %s, %v", line, err)
		}
		codes = append(codes, record.Code)
	}
	return codes
}

// Logged returns the JSON that v becomes in a log.
func Logged(t *testing.T, v any) string {
	t.Helper()
	var line bytes.Buffer
	slog.New(slog.NewJSONHandler(&line, nil)).Info("", "value", v)
	var record struct{ Value json.RawMessage }
	if err := json.Unmarshal(line.Bytes(), &record); err != nil {
		t.Fatal(err)
	}
	return string(record.Value)
}
