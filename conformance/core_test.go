package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
)

// TestCore runs every case of level core against the core module.
func TestCore(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	var count tally
	for _, c := range cases {
		if !count.add(&c, "core") {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			if err := checkCore(&c); err != nil {
				t.Errorf("%v\nrule: %s\ncase: %s", err, c.Rule, c.Source)
			}
		})
	}
	t.Log(count)
}

func checkCore(c *Case) error {
	switch c.Op {
	case "determine":
		return checkDetermineCore(c)
	case "determine_stub":
		return checkDetermineStub(c)
	case "is_allowed":
		return checkIsAllowed(c)
	default:
		return fmt.Errorf("unknown operation %q at level core", c.Op)
	}
}

// stubRequest is a request made by hand.
type stubRequest struct {
	accepted   string
	acceptable bool
	path       map[string]*string
	query      string
	namespace  string
	host       string
	version    verso.Version
}

var _ verso.Request = (*stubRequest)(nil)

func (r *stubRequest) AcceptedMediaType() (string, bool) { return r.accepted, r.acceptable }
func (r *stubRequest) PathParam(name string) (string, bool) {
	if value := r.path[name]; value != nil {
		return *value, true
	}
	return "", false
}
func (r *stubRequest) QueryParam(name string) (string, bool) { return verso.QueryParam(r.query, name) }
func (r *stubRequest) Namespace() string                     { return r.namespace }
func (r *stubRequest) Host() string                          { return r.host }
func (r *stubRequest) Version() verso.Version                { return r.version }

func checkDetermineCore(c *Case) error {
	var d determineCase
	if err := c.decode(&d); err != nil {
		return err
	}
	negotiator, err := mediatype.NewNegotiator(d.Produces...)
	if err != nil {
		return err
	}
	accepted, acceptable := negotiator.Negotiate(d.Request.Headers["Accept"])
	stub := &stubRequest{accepted: accepted.MediaType, acceptable: acceptable, path: d.Route.Captured}
	if d.Request.Host != nil {
		stub.host = *d.Request.Host
	}
	scheme, err := c.newScheme()
	if err != nil {
		return err
	}
	return judgeStub(scheme, stub, d.Want)
}

func checkDetermineStub(c *Case) error {
	var d struct {
		ClassName string             `json:"class_name"`
		Kwargs    map[string]*string `json:"kwargs"`
		Request   struct {
			AcceptedMediaType *string     `json:"accepted_media_type"`
			QueryParams       [][2]string `json:"query_params"`
			ResolverMatch     *struct {
				Namespace string `json:"namespace"`
			} `json:"resolver_match"`
			Host string `json:"host"`
		} `json:"request"`
		Want struct {
			determineWant
			Error string `json:"error"`
		} `json:"want"`
	}
	if err := c.decode(&d); err != nil {
		return err
	}
	stub := &stubRequest{acceptable: true, path: d.Kwargs, host: d.Request.Host}
	if text := d.Request.AcceptedMediaType; text != nil {
		stub.accepted = string(latin1Bytes(*text))
	}
	if match := d.Request.ResolverMatch; match != nil {
		stub.namespace = match.Namespace
	}
	for _, pair := range d.Request.QueryParams {
		stub.query = verso.ReplaceQueryParam("?"+stub.query, pair[0], pair[1])[1:]
	}
	if d.Want.Error == "not-implemented" {
		base, err := verso.NewBase(d.ClassName, c.settings.verso())
		if err != nil {
			return err
		}
		if _, err = base.DetermineVersion(stub); !errors.Is(err, verso.ErrNotImplemented) || err.Error() != d.Want.Message {
			return fmt.Errorf("error is %v instead of %q", err, d.Want.Message)
		}
		return nil
	}
	scheme, err := c.newScheme()
	if err != nil {
		return err
	}
	return judgeStub(scheme, stub, d.Want.determineWant)
}

// latin1Bytes returns the bytes that the characters of text stand for.
func latin1Bytes(text string) (bytes []byte) {
	for _, char := range text {
		bytes = append(bytes, byte(char))
	}
	return bytes
}

func judgeStub(scheme verso.Scheme, stub *stubRequest, want determineWant) error {
	got, err := scheme.DetermineVersion(stub)
	if want.Status == 0 {
		if err != nil || !sameText(got, want.Version) {
			return fmt.Errorf("determined %#v, error %v, instead of %s", got, err, want)
		}
		return nil
	}
	var refused *verso.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("determined %#v, error %v, instead of %s", got, err, want)
	}
	if refused.Status != want.Status || refused.Message != want.Message {
		return fmt.Errorf("refused with status %d, %q instead of %s", refused.Status, refused.Message, want)
	}
	sentinel := verso.ErrNotFound
	if want.Status == http.StatusNotAcceptable {
		sentinel = verso.ErrNotAcceptable
	}
	if !errors.Is(err, sentinel) {
		return fmt.Errorf("the error does not match %v", sentinel)
	}
	return nil
}

func checkIsAllowed(c *Case) error {
	var d struct {
		Version verso.Version `json:"version"`
		Want    struct {
			Allowed bool `json:"allowed"`
		} `json:"want"`
	}
	if err := c.decode(&d); err != nil {
		return err
	}
	scheme, err := c.newScheme()
	if err != nil {
		return err
	}
	for name, got := range map[string]bool{
		"scheme":   scheme.IsAllowedVersion(d.Version),
		"settings": c.settings.verso().IsAllowedVersion(d.Version),
	} {
		if got != d.Want.Allowed {
			return fmt.Errorf("%s: IsAllowedVersion(%#v) is %t instead of %t", name, d.Version, got, d.Want.Allowed)
		}
	}
	return nil
}
