package api

import (
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/golang-jwt/jwt/v5/request"
)

// Tokens issues and checks the tokens of clients (RFC 7519).
type Tokens struct {
	Secret []byte
	Clock  func() time.Time
}

// Issue returns a token for a client. It is valid for an hour.
func (t Tokens) Issue(client string) (string, error) {
	return jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Subject:   client,
		ExpiresAt: jwt.NewNumericDate(t.Clock().Add(time.Hour)),
	}).SignedString(t.Secret)
}

// Client returns the client whose valid token a request has, "" for none.
func (t Tokens) Client(r *http.Request) string {
	var claims jwt.RegisteredClaims
	key := func(*jwt.Token) (any, error) { return t.Secret, nil }
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithExpirationRequired(), jwt.WithTimeFunc(t.Clock))
	_, err := request.ParseFromRequest(r, request.BearerExtractor{}, key, request.WithClaims(&claims), request.WithParser(parser))
	if err != nil {
		return ""
	}
	return claims.Subject
}
