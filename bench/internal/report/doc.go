// Package report writes what the commands of module bench measure: tables of
// Markdown, the bounds that figures must keep, and the pages that hold them.
package report
