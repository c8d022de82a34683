// Package bound checks the bounds of stores of counts.
package bound

import "fmt"

// Check returns an error for a negative bound of a field, with what 0 means.
func Check(field string, bound, standard int) error {
	if bound >= 0 {
		return nil
	}
	return fmt.Errorf("%s is %d: write a positive number, or 0 for %d", field, bound, standard)
}
