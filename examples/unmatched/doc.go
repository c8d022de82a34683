// Package unmatched asks the services of six frameworks for what no route takes, and for what a
// neighbour takes. table.jsonl has the rule, request by request.
package unmatched
