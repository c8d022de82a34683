// Package pins has services in five frameworks that pin each caller to a version, which their
// authentication stores for the request, and what their callers get.
package pins
