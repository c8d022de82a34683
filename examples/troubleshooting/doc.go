// Package troubleshooting makes each mistake of docs/troubleshooting.md that no
// message prevents, in Echo and in Gin, and looks for what the page says that one
// sees.
package troubleshooting
