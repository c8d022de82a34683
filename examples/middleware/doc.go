// Package middleware tests Verso among other middleware: CORS, compression,
// timeouts, loggers and others, before it and after it.
package middleware
