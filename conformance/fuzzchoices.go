package conformance

import "strings"

// choices are the input of a fuzz test. Each byte decides something; behind the end,
// everything is as usual.
type choices struct{ input []byte }

// below returns a number from 0, which is what is usual, to n-1.
func (c *choices) below(n int) int {
	if len(c.input) == 0 {
		return 0
	}
	first := c.input[0]
	c.input = c.input[1:]
	return int(first) % n
}

// rarely is true once in n times.
func (c *choices) rarely(n int) bool { return c.below(n) == n-1 }

// text returns at most n bytes without white space.
func (c *choices) text(n int) string {
	n = min(n, len(c.input))
	text := strings.Join(strings.Fields(string(c.input[:n])), "")
	c.input = c.input[n:]
	return text
}

// pick takes the first element when the input has ended.
func pick[T any](c *choices, of []T) T { return of[c.below(len(of))] }
