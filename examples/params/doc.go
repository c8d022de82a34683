// Package params has a service whose queries, header fields, forms and statuses changed
// between versions, in each framework. Its cases are in testdata.
package params
