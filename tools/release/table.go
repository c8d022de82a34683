package main

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// report is what a user of a module gets.
type report struct {
	module *workspaceModule
	needs  *needs
	sizes  sizes // of binaries that refer to all of its functions
}

// printTable prints the reports. It counts the modules in the build list, the
// modules and the packages outside the standard library that an import
// compiles, the module itself left out, and what they add to a binary.
func printTable(out io.Writer, reports []report, version string, without sizes) error {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	// What goes wrong when writing to a tabwriter, Flush says.
	_, _ = fmt.Fprintln(table, "\n\t\tmodules\tmodules\tpackages\tbytes over an\tbytes over a\t")
	_, _ = fmt.Fprintln(table, "module\tversion\tlisted\tneeded\tneeded\tempty program\tnet/http server\t")
	for _, r := range reports {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t\n", r.module.folder, version, r.needs.listed, len(r.needs.modules), r.needs.packages,
			thousands(r.sizes.alone-without.alone), thousands(r.sizes.server-without.server))
	}
	return table.Flush()
}

// thousands writes a number with commas.
func thousands(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
