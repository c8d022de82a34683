package documents_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type (
	StorePet struct {
		ID       int64          `json:"id,omitempty"`
		Name     string         `json:"name"`
		Category *StoreCategory `json:"category,omitempty"`
		Photos   []string       `json:"photoUrls"`
		Tags     []StoreTag     `json:"tags,omitempty"`
		Status   string         `json:"status,omitempty"`
	}
	StoreCategory struct {
		ID   int64  `json:"id,omitempty"`
		Name string `json:"name,omitempty"`
	}
	StoreTag struct {
		ID   int64  `json:"id,omitempty"`
		Name string `json:"name,omitempty"`
	}
	StoreOrder struct {
		ID       int64  `json:"id,omitempty"`
		Pet      int64  `json:"petId,omitempty"`
		Quantity int    `json:"quantity,omitempty"`
		Status   string `json:"status,omitempty"`
		Complete bool   `json:"complete,omitempty"`
	}

	TrainStation struct {
		ID      string `json:"id"`
		Name    string `json:"name"`
		Country string `json:"country_code"`
	}
	TrainTrip struct {
		ID     string  `json:"id,omitempty"`
		Origin string  `json:"origin,omitempty"`
		Price  float64 `json:"price,omitempty"`
		Dogs   bool    `json:"dogs_allowed,omitempty"`
	}
	TrainBooking struct {
		ID        string `json:"id,omitempty"`
		Passenger string `json:"passenger_name,omitempty"`
		Bicycle   bool   `json:"has_bicycle,omitempty"`
	}
	TrainPage[T any] struct {
		Data []T `json:"data,omitempty"`
	}
	TrainPayment struct {
		Amount   float64 `json:"amount,omitempty"`
		Currency string  `json:"currency,omitempty"`
	}

	Coupon struct {
		ID        string   `json:"id"`
		AmountOff *int64   `json:"amount_off,omitempty"`
		Created   int64    `json:"created"`
		Duration  string   `json:"duration"`
		Percent   *float64 `json:"percent_off,omitempty"`
		Name      *string  `json:"name,omitempty"`
	}
	ShippingRate struct {
		ID    string  `json:"id"`
		Label *string `json:"display_name,omitempty"`
		Live  bool    `json:"livemode"`
	}
	StripeList[T any] struct {
		Data    []T  `json:"data"`
		HasMore bool `json:"has_more"`
	}
)

// realSubject is a published document with changes that were made up.
type realSubject struct {
	subject
	paths []string // that are left; nil: all
}

// realSubjects are documents of the package @readme/oas-examples, and a part of the one that
// stripe-mock has.
var realSubjects = []realSubject{
	{
		subject: subject{
			file: "package/3.0/json/petstore.json",
			history: func(versioning *verso.Versioning) (*migrate.History, error) {
				return migrate.New(versioning,
					migrate.Release("v3",
						migrate.Changed("A pet has photos.", migrate.For[StorePet](migrate.Renamed("pictures", "photoUrls"), migrate.Values("status", map[string]string{"free": "available"}, migrate.NewValue("pending", "sold"))))),
					migrate.Release("v2",
						migrate.Changed("A category is an object.", migrate.For[StorePet](migrate.Nested("category", map[string]string{"category_id": "id", "category_name": "name"}))),
						migrate.Changed("An order has a pet.", migrate.For[StoreOrder](migrate.Renamed("pet", "petId"), migrate.Removed("note", "none"), migrate.Added("complete", false)))),
					migrate.Release("v1"))
			},
			routes: func(h *migrate.History) map[string]*migrate.Route {
				pet, order := h.Route(migrate.Accepts[StorePet](), migrate.Returns[StorePet]()), h.Route(migrate.Accepts[StoreOrder](), migrate.Returns[StoreOrder]())
				pets := h.Route(migrate.Returns[[]StorePet]())
				return map[string]*migrate.Route{
					"PUT /pet": pet, "POST /pet": pet, "GET /pet/{petId}": h.Route(migrate.Returns[StorePet]()), "POST /pet/{petId}": h.Route(migrate.Returns[StorePet]()),
					"GET /pet/findByStatus": pets, "GET /pet/findByTags": pets, "POST /store/order": order, "GET /store/order/{orderId}": h.Route(migrate.Returns[StoreOrder]()),
				}
			},
			types: map[string]reflect.Type{"Pet": reflect.TypeFor[StorePet](), "Order": reflect.TypeFor[StoreOrder](), "Category": reflect.TypeFor[StoreCategory]()},
		},
	},
	{
		subject: subject{
			file: "package/3.1/json/train-travel.json",
			history: func(versioning *verso.Versioning) (*migrate.History, error) {
				return migrate.New(versioning,
					migrate.Release("v3",
						migrate.Changed("A trip has an origin.", migrate.For[TrainTrip](migrate.Renamed("start", "origin"), migrate.Added("dogs_allowed", false))),
						migrate.Changed("Passengers have names.", migrate.For[TrainBooking](migrate.Renamed("passenger", "passenger_name"), migrate.Removed("seat", "any")))),
					migrate.Release("v2",
						migrate.Changed("Prices are decimal.", migrate.For[TrainTrip](migrate.Mapped("price",
							func(cents int64) (float64, error) { return float64(cents) / 100, nil },
							func(price float64) (int64, error) { return int64(math.Round(price * 100)), nil }))),
						migrate.Changed("Countries have codes.", migrate.For[TrainStation](migrate.Renamed("country", "country_code"))),
						migrate.Changed("Kroner are paid.", migrate.For[TrainPayment](migrate.Values("currency", map[string]string{"euro": "eur"}, migrate.NewValue("sek", "euro"))))),
					migrate.Release("v1"))
			},
			routes: func(h *migrate.History) map[string]*migrate.Route {
				return map[string]*migrate.Route{
					"GET /stations": h.Route(migrate.Returns[TrainPage[TrainStation]]()), "GET /trips": h.Route(migrate.Returns[TrainPage[TrainTrip]]()),
					"GET /bookings": h.Route(migrate.Returns[TrainPage[TrainBooking]]()), "POST /bookings": h.Route(migrate.Accepts[TrainBooking](), migrate.Returns[TrainBooking]()),
					"GET /bookings/{bookingId}": h.Route(migrate.Returns[TrainBooking]()), "POST /bookings/{bookingId}/payment": h.Route(migrate.Accepts[TrainPayment](), migrate.Returns[TrainPayment]()),
				}
			},
			types: map[string]reflect.Type{"Trip": reflect.TypeFor[TrainTrip](), "Booking": reflect.TypeFor[TrainBooking](), "Station": reflect.TypeFor[TrainStation](), "BookingPayment": reflect.TypeFor[TrainPayment]()},
		},
	},
	{
		subject: subject{
			file: "stripe-mock",
			history: func(versioning *verso.Versioning) (*migrate.History, error) {
				return migrate.New(versioning,
					migrate.Release("v3",
						migrate.Changed("A coupon takes an amount off.", migrate.For[Coupon](migrate.Renamed("discount", "amount_off"), migrate.Default("name", "Coupon"))),
						migrate.Changed("A rate has a name.", migrate.For[ShippingRate](migrate.Renamed("label", "display_name"), migrate.Removed("carrier", nil)))),
					migrate.Release("v2",
						migrate.Changed("Coupons repeat.", migrate.For[Coupon](migrate.Values("duration", map[string]string{"always": "forever"}, migrate.NewValue("repeating", "once")))),
						migrate.Changed("Times are in seconds.", migrate.For[Coupon](migrate.Mapped("created",
							func(ms int64) (int64, error) { return ms / 1000, nil }, func(s int64) (int64, error) { return s * 1000, nil }), migrate.Additive("percent_off")))),
					migrate.Release("v1"))
			},
			routes: func(h *migrate.History) map[string]*migrate.Route {
				coupon, rate := h.Route(migrate.Returns[Coupon]()), h.Route(migrate.Returns[ShippingRate]())
				return map[string]*migrate.Route{
					"GET /v1/coupons": h.Route(migrate.Returns[StripeList[Coupon]]()), "POST /v1/coupons": coupon, "GET /v1/coupons/{coupon}": coupon, "POST /v1/coupons/{coupon}": coupon,
					"GET /v1/shipping_rates": h.Route(migrate.Returns[StripeList[ShippingRate]]()), "POST /v1/shipping_rates": rate,
					"GET /v1/shipping_rates/{shipping_rate_token}": rate, "POST /v1/shipping_rates/{shipping_rate_token}": rate,
				}
			},
			types: map[string]reflect.Type{"coupon": reflect.TypeFor[Coupon](), "shipping_rate": reflect.TypeFor[ShippingRate]()},
		},
		paths: []string{"/v1/coupons", "/v1/coupons/{coupon}", "/v1/shipping_rates", "/v1/shipping_rates/{shipping_rate_token}", "/v1/balance"},
	},
}

// TestRealDocumentsLong is TestDocumentsOfVersions with published documents, which it downloads.
func TestRealDocumentsLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("downloads documents: set VERSO_LONG=1")
	}
	requireNPM(t)
	files := published(t)
	for _, s := range realSubjects {
		t.Run(s.file, func(t *testing.T) {
			document, h, service := s.read(t, files)
			proveAll(t, s.types, document, h, service)
		})
	}
}

// read returns the document, and what serves it.
func (s realSubject) read(t *testing.T, files map[string][]byte) (*openapi3.T, *migrate.History, *verso.Explanation) {
	t.Helper()
	versions := []string{"v1", "v2", "v3"}
	versioning, err := verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: versions})
	require.NoError(t, err)
	h, err := s.history(versioning)
	require.NoError(t, err)
	document, err := openapi3.NewLoader().LoadFromData(reduced(t, files[s.file], s.paths))
	require.NoError(t, err)
	service := &verso.Explanation{Source: verso.Header("Api-Version"), Versions: versions, Requests: []verso.RequestInfo{{Response: "400 version_missing"}}, ProblemType: verso.ProblemType}
	routes := s.routes(h)
	for path, item := range document.Paths.Map() {
		for method := range item.Operations() {
			r := verso.RouteInfo{Method: method, Pattern: path, Path: path}
			if own := routes[method+" "+path]; own != nil {
				r.Rewritten, r.Rewriter = true, own
			}
			service.Routes = append(service.Routes, r)
		}
	}
	return document, h, service
}

// reduced returns a document without other paths.
func reduced(t *testing.T, raw []byte, paths []string) []byte {
	t.Helper()
	if paths == nil {
		return raw
	}
	var document map[string]any
	require.NoError(t, json.Unmarshal(raw, &document))
	maps.DeleteFunc(document["paths"].(map[string]any), func(path string, _ any) bool { return !slices.Contains(paths, path) })
	raw, err := json.Marshal(document)
	require.NoError(t, err)
	return raw
}

// published downloads the documents, by their names.
func published(t *testing.T) map[string][]byte {
	t.Helper()
	dir, files := t.TempDir(), map[string][]byte{}
	npm := exec.CommandContext(t.Context(), "npm", "pack", "@readme/oas-examples@8.2.2")
	npm.Dir, npm.Env = dir, npmEnv()
	out, err := npm.CombinedOutput()
	require.NoError(t, err, "%s", out)
	packed, err := os.Open(filepath.Join(dir, "readme-oas-examples-8.2.2.tgz"))
	require.NoError(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	require.NoError(t, err)
	for archive := tar.NewReader(unpacked); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		files[header.Name], err = io.ReadAll(archive)
		require.NoError(t, err)
	}
	out, err = exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "github.com/stripe/stripe-mock@v0.203.0").Output()
	require.NoError(t, err, "%s", out)
	var module struct{ Dir string }
	require.NoError(t, json.NewDecoder(bytes.NewReader(out)).Decode(&module))
	files["stripe-mock"], err = os.ReadFile(filepath.Join(module.Dir, "embedded/openapi/spec3.json"))
	require.NoError(t, err)
	assert.NotEmpty(t, files)
	return files
}
