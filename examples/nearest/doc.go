// Package nearest has services in five frameworks whose clients name a date or their own
// release, and what they get.
package nearest
