package snippets

import (
	"embed"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/locales"
)

//go:embed messages/active.*.toml
var messages embed.FS

func Example_echoTranslation() {
	translator, err := locales.New()
	if err != nil {
		panic(err)
	}
	e := echo.New()
	v := versoecho.New(e, verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Translator:      translator,
	}))
	v.GET("/:version/users", nothing)

	get(e, "/v9/users", "Accept-Language: de-CH,de;q=0.9")
	// Output:
	// 404 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version","title":"Ungültige API-Version","status":404,"detail":"Ungültige Version im URL-Pfad.","code":"invalid_url_path_version","allowed_versions":["v1","v2"]}
}

func Example_ownWords() {
	own, err := fs.Sub(messages, "messages")
	if err != nil {
		panic(err)
	}
	translator, err := locales.New(locales.WithFS(own))
	if err != nil {
		panic(err)
	}
	e := echo.New()
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Translator: translator})
	v := versoecho.New(e, api, versoecho.Config{
		ErrorHandler: func(c echo.Context, rejected *verso.Error, answer *verso.Answer) error {
			return c.String(rejected.StatusCode(), answer.Problem.Detail)
		},
	})
	v.GET("/:version/users", nothing)

	get(e, "/v9/users")
	// Output:
	// 404 This API has v1 and v2. Read https://example.com/api/versions.
}

// TestRejectionsInSixLanguages asks both frameworks over a real connection.
func TestRejectionsInSixLanguages(t *testing.T) {
	translator, err := locales.New()
	require.NoError(t, err)
	api := verso.MustNew(verso.AcceptParam("version"), verso.Config{AllowedVersions: []string{"v1"}, Translator: translator})

	e := echo.New()
	versoecho.New(e, api).GET("/users", nothing)
	r := gin.New()
	versogin.New(r, api).GET("/users", func(*gin.Context) {})

	for name, handler := range map[string]http.Handler{"echo": e, "gin": r} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		for language, want := range map[string]string{
			"ar":    `إصدار غير صالح في ترويسة \"Accept\".`,
			"ja":    `\"Accept\" ヘッダーのバージョンが無効です。`,
			"de-CH": `Ungültige Version im \"Accept\"-Header.`,
			"ru":    `Недопустимая версия в заголовке \"Accept\".`,
			"fr":    `Version non valide dans l'en-tête \"Accept\".`,
			"tlh":   `Invalid version in \"Accept\" header.`,
		} {
			t.Run(name+"/"+language, func(t *testing.T) {
				request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/users", nil)
				require.NoError(t, err)
				request.Header.Set("Accept", "application/json; version=v9")
				request.Header.Set("Accept-Language", language)
				response, err := server.Client().Do(request)
				require.NoError(t, err)
				defer response.Body.Close()
				body := make([]byte, 4096)
				n, _ := response.Body.Read(body)
				assert.Contains(t, string(body[:n]), want)
				assert.Equal(t, http.StatusNotAcceptable, response.StatusCode)
				wantTag := map[string]string{"de-CH": "de", "tlh": "en"}[language]
				if wantTag == "" {
					wantTag = language
				}
				assert.Equal(t, wantTag, response.Header.Get("Content-Language"))
				assert.Equal(t, []string{"Accept, Accept-Language"}, response.Header.Values("Vary"))
			})
		}
	}
}
