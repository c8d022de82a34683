// Package snippets holds the code that the documentation shows, so that it is
// compiled and run. A test compares both.
package snippets
