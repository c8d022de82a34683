package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
)

// answer is what of a response must not depend on the framework.
type answer struct {
	status int
	vary   string
	body   string
}

func ask(client *http.Client, request *http.Request) (answer, error) {
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	body, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return answer{}, err
	}
	return answer{
		status: response.StatusCode,
		vary:   strings.Join(response.Header["Vary"], ", "),
		body:   string(bytes.TrimSuffix(body, []byte("\n"))), // Echo ends JSON with a line break, Gin does not
	}, nil
}

// differsIn returns what is not the same in both answers, "" if all is.
func (a answer) differsIn(other answer) string {
	switch {
	case a.status != other.status:
		return "status"
	case a.vary != other.vary:
		return "Vary field"
	case a.body != other.body:
		return "body"
	default:
		return ""
	}
}
