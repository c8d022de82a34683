package verso

// Must returns the value, or panics with err. It is for configurations in source code.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
