package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// measure builds the benchmarks and runs all of them count times. One run of
// each follows one run of the others, so that what else the machine does hits
// all alike. It returns their output.
func measure(ctx context.Context, count int, benchtime string) ([]byte, error) {
	folder, err := os.MkdirTemp("", "verso-bench")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	binary := filepath.Join(folder, "bench.test")
	fmt.Fprintln(os.Stderr, "building")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("building the benchmarks: %w", err)
	}
	var output bytes.Buffer
	for round := range count {
		fmt.Fprintf(os.Stderr, "run %d of %d\n", round+1, count)
		run := exec.CommandContext(ctx, binary, "-test.run", "^$", "-test.bench", ".", "-test.benchmem",
			"-test.cpu", "1", "-test.benchtime", benchtime)
		run.Stderr = os.Stderr
		printed, err := run.Output()
		if err != nil {
			return nil, fmt.Errorf("running the benchmarks: %w\n%s", err, printed)
		}
		output.Write(printed)
	}
	return output.Bytes(), nil
}
