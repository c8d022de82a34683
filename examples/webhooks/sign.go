package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
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
