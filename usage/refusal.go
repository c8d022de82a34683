package usage

import "fmt"

// refusal is an error that the request makes. The store makes any other one.
type refusal struct {
	error
	status int
}

func refuse(status int, format string, args ...any) error {
	return refusal{fmt.Errorf(format, args...), status}
}
