package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
)

// Documented declares how documents of older versions describe the operation of a route, by keywords such as
// {"deprecated": true, "security": []}, merged into it (RFC 7396): null takes one away. Clients notice nothing.
func (c *Change) Documented(keywords string) Body {
	patch, text, err := keywordsIn(keywords, "parameters", "requestBody", "responses", "callbacks")
	return c.answer(declared.Answer{
		Text: "it was described by " + text, About: "operation", Harmless: true,
		Document: func(o *openapi.Operation) {
			made := openapi.Merged(o.Members, patch())
			clear(o.Members)
			maps.Copy(o.Members, made)
		},
	}, err)
}

// DocumentedParameter is [Change.Documented] for a parameter of a route, also of its path: {"style": "simple"}, or
// {"schema": {"maxLength": 8}}. In is query, header, path or cookie, and the name is the newest. A parameter of [Query] or
// [Headers] that an edit brings back has the name that the edit gives it.
func (c *Change) DocumentedParameter(in, name, keywords string) Body {
	patch, text, err := keywordsIn(keywords, "in", "name", "$ref")
	if name == "" || !slices.Contains([]string{"query", "header", "path", "cookie"}, in) {
		err = errors.Join(err, errors.New("give query, header, path or cookie, and a name"))
	}
	return c.answer(declared.Answer{
		Text: fmt.Sprintf("the %s parameter %q was described by %s", in, name, text), About: "parameter", Harmless: true,
		Was: in + " " + name, Is: in + " " + name,
		Document: func(o *openapi.Operation) { o.Describe(in, name, patch()) },
	}, err)
}

// keywordsIn returns the keywords of a declaration, anew for each document, and their text. Others are for edits.
func keywordsIn(keywords string, others ...string) (patch func() map[string]any, text string, err error) {
	var given map[string]json.RawMessage // numbers stay as they are written
	if err = json.Unmarshal([]byte(keywords), &given); err != nil {
		return nil, keywords, fmt.Errorf("the keywords are not a JSON object: %w", err)
	}
	for _, keyword := range others {
		if _, ok := given[keyword]; ok {
			err = errors.Join(err, fmt.Errorf("the keyword %s is for edits, statuses and header fields: declare these", keyword))
		}
	}
	raw, _ := json.Marshal(given)
	return func() map[string]any { return openapi.Map(jsontext.Decoded(raw)) }, string(raw), err
}
