package main

import "fmt"

// traffic is what the clients send, and to which services.
type traffic string

const (
	withoutHostile traffic = "without"  // ordinary requests, and good ones in the place of hostile ones
	withHostile    traffic = "with"     // ordinary and hostile requests
	unversioned    traffic = "no-verso" // the same to the services without Verso
)

// kinds returns the kinds of requests that a client sends, one after the other.
// Half of the clients are there to be hostile.
func (t traffic) kinds(number int) []*kind {
	switch {
	case number%2 == 0:
		return ordinary
	case t == withoutHostile:
		return []*kind{good}
	default:
		return hostile
	}
}

// expect returns what a client takes for right. Services without Verso answer
// as they like.
func (t traffic) expect(want answer) answer {
	if t == unversioned {
		return answer{}
	}
	return want
}

func trafficNamed(name string) (traffic, error) {
	switch t := traffic(name); t {
	case withoutHostile, withHostile, unversioned:
		return t, nil
	default:
		return "", fmt.Errorf("there is no traffic %q", name)
	}
}
