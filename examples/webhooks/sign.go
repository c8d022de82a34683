package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// signature returns the signature of a message by Standard Webhooks: of its ID, the time of the
// attempt, and its body, with the key in a secret such as "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".
func signature(secret, id string, attempt int64, body []byte) (string, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return "", fmt.Errorf("the secret of a receiver: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s.%d.%s", id, attempt, body) // a hash does not fail
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}

// stored is a stored message, with its receiver.
type stored struct {
	id, url, secret string
	header, body    []byte
}

// post sends a message to its receiver.
func (s *service) post(ctx context.Context, m *stored) error {
	now := s.clock().Unix()
	signed, err := signature(m.secret, m.id, now, m.body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(m.body))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(m.header, &r.Header); err != nil {
		return err
	}
	r.Header.Set("webhook-id", m.id)
	r.Header.Set("webhook-timestamp", strconv.FormatInt(now, 10))
	r.Header.Set("webhook-signature", signed)
	response, err := s.client.Do(r)
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16))
	if err := response.Body.Close(); err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s answered %s", m.id, response.Status)
	}
	return nil
}
