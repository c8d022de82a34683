package service

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Ask reads the JSON that a server at the given address, host:port, answers
// with. It fails when the status is not 200.
func Ask(ctx context.Context, address string, value any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers with status %d", address, response.StatusCode)
	}
	return json.NewDecoder(response.Body).Decode(value)
}
