package api

import (
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Token returns a token for a client (RFC 7519), which is its subject. It is valid
// for an hour of real time, whatever the Clock says.
func (s *Service) Token(client string) (string, error) {
	claims := jwt.RegisteredClaims{Subject: client, ExpiresAt: jwt.NewNumericDate(time.Now().Add(time.Hour))}
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(s.Secret)
}
