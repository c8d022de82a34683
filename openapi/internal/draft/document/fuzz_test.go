package document

import (
	"os"
	"path/filepath"
	"testing"
)

// Any document is read or refused, and what is read can be walked.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		`{"openapi":"3.0.0","paths":{"/x":{"get":{"parameters":[{"name":"a","in":"query"}],"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}}},"components":{"schemas":{"A":{"allOf":[{"$ref":"#/components/schemas/A"}]}}}}`,
		`{"openapi":"3.1.0","webhooks":{"a":{"post":{"requestBody":{"content":{"a/json":{"schema":{"oneOf":[{"type":["string","null"]},{"enum":[1,2.5,null]}]}}}}}}}}`,
		"openapi: 3.0.0\npaths: {/x: {get: {responses: {200: {$ref: '#/paths/~1x/get'}}}}}",
		`{"openapi":"3.0.0","paths":{"/x":{"get":{"responses":3}}},"components":{"schemas":{"A":3,"B":{"properties":[],"items":"x","required":"a"}}}}`,
		`{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{}}}},"components":{"schemas":{"A":{"properties":{"b":{"$ref":"#/components/schemas/A/properties/b","type":"string"},"c":{"$ref":"#/components/schemas/A/properties/d"},"d":true}}}}}`,
		`{"openapi":"3.1.0","paths":{"/x":{"get":{"responses":{}}}},"components":{"schemas":{"A":{"properties":{"b":{"type":"string","allOf":[{"$ref":"#/components/schemas/A/properties/b"}]}}}}}}`,
		`{"swagger":"2.0","info":{},"paths":{"/x":{"get":{"responses":{}}}}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(t.TempDir(), "a.yaml")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Load(path)
		if err != nil {
			return
		}
		for _, o := range d.Operations() {
			for _, in := range []string{"query", "header"} {
				d.Parameters(o, in)
			}
			d.View(JSON(d.Body(o.Op["requestBody"])))
			for _, response := range Obj(o.Op["responses"]) {
				w := d.View(JSON(d.Body(response)))
				d.Texts(w)
				Shape(w.Schema)
			}
		}
		for name := range d.Schemas() {
			d.RolesOf(name)
			d.Texts(d.View(Ref(name)))
		}
	})
}
