package model

import "strings"

// Choices are the input of a fuzz test. Each byte decides something; behind the end,
// everything is as usual.
type Choices struct{ Input []byte }

// Below returns a number from 0, which is what is usual, to n-1.
func (c *Choices) Below(n int) int {
	if len(c.Input) == 0 {
		return 0
	}
	first := c.Input[0]
	c.Input = c.Input[1:]
	return int(first) % n
}

// rarely is true once in n times.
func (c *Choices) rarely(n int) bool { return c.Below(n) == n-1 }

// text returns at most n bytes without white space.
func (c *Choices) text(n int) string {
	n = min(n, len(c.Input))
	text := strings.Join(strings.Fields(string(c.Input[:n])), "")
	c.Input = c.Input[n:]
	return text
}

// Pick takes the first element when the input has ended.
func Pick[T any](c *Choices, of []T) T { return of[c.Below(len(of))] }
