package versohttp_test

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// A whole service: v1, which ends, and v2, side by side.
func Example() {
	today := date("2027-12-30")
	service := newService(func() time.Time { return today })
	get := func(path string) {
		w := httptest.NewRecorder()
		service.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		fmt.Println(path, w.Code, strings.TrimSpace(w.Body.String()))
		for _, name := range []string{"Sunset", "Link"} {
			if line := w.Header().Get(name); line != "" {
				fmt.Println("   ", name+":", line)
			}
		}
	}
	get("/v1/users/7")
	get("/v2/users/7")
	get("/v9/users/7")
	today = date("2027-12-31")
	get("/v1/users/7")
	// Output:
	// /v1/users/7 200 {"first_name":"Ada","last_name":"Lovelace"}
	//     Sunset: Fri, 31 Dec 2027 00:00:00 GMT
	//     Link: </v2/users/7>; rel="successor-version"
	// /v2/users/7 200 {"name":"Ada Lovelace","self":"/v2/users/7"}
	// /v9/users/7 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version","title":"Invalid API version","status":404,"detail":"Invalid version in URL path.","code":"invalid_url_path_version","allowed_versions":["v1","v2"]}
	// /v1/users/7 410 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#version-gone","title":"Gone","status":410,"detail":"This API version has ended.","code":"version_gone","allowed_versions":["v2"],"sunset":"2027-12-31T00:00:00Z","successor":"v2"}
	//     Sunset: Fri, 31 Dec 2027 00:00:00 GMT
	//     Link: </v2/users/7>; rel="successor-version"
}

func newService(clock func() time.Time) http.Handler {
	versions := catalogue.MustNew(catalogue.Config{
		Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: date("2026-06-30"), Sunset: date("2027-12-31"), Successor: "v2"},
			{Version: "v2"},
		},
		AfterSunset:    catalogue.Gone,
		SuccessorLinks: true,
	})
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		Catalogue: versions,
		Clock:     clock, // by default time.Now
		Links:     verso.LinkConfig{Relative: true},
		Strict:    verso.Strict(),
	})

	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	v.Name("user").HandleVersions("GET /{version}/users/{id}", versohttp.Handlers{"v1": showNames, "v2": showUser})
	return mux
}

func showNames(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, map[string]string{"first_name": "Ada", "last_name": "Lovelace"})
}

func showUser(w http.ResponseWriter, r *http.Request) {
	self, err := versohttp.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": r.PathValue("id")}})
	if err != nil {
		log.Print(err)
		http.Error(w, "internal server error", http.StatusInternalServerError)
		return
	}
	writeJSON(w, map[string]string{"name": "Ada Lovelace", "self": self})
}

func writeJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func date(day string) time.Time { return catalogue.MustDate(day) }
