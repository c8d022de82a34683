package document

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/yaml"
)

// Load reads a document in JSON or YAML. A document of Swagger 2 is converted. It fails if the file is
// not a document of OpenAPI 3 with operations or webhooks.
func Load(path string) (*Document, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Read(path, raw)
}

// Read is Load for the content of a file.
func Read(path string, raw []byte) (*Document, error) {
	v, err := decode(path, raw)
	if err != nil {
		return nil, err
	}
	root := Obj(v)
	if version := root["swagger"]; version != nil {
		if root, err = converted(root); err != nil {
			return nil, fmt.Errorf("%s is Swagger %v, which cannot be converted: %w: convert it to OpenAPI 3 with "+
				"another tool", path, version, err)
		}
	}
	d := &Document{Root: root, path: path, files: map[string]any{}, names: map[string]string{}}
	switch {
	case !strings.HasPrefix(fmt.Sprint(root["openapi"]), "3."):
		return nil, fmt.Errorf("%s is not an OpenAPI document: it has no openapi: 3.x", path)
	case len(Obj(root["paths"])) == 0 && len(d.Webhooks()) == 0:
		return nil, fmt.Errorf("%s has no paths and no webhooks", path)
	}
	if Obj(root["components"]) == nil {
		root["components"] = Object{}
	}
	d.bundle(root, "", "", "")
	d.shaped(root, reflect.TypeFor[openapi3.T](), "#")
	d.mend(root, "#", "")
	delete(Obj(root["components"]), "mediaTypes") // each content has its own
	d.noteSameRoutes()
	d.views = map[string]View{}
	d.unnest()
	return d, nil
}

// decode reads JSON or YAML. Numbers keep their text.
func decode(path string, raw []byte) (_ any, err error) {
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) || !json.Valid(raw) {
		var v any
		if _, err := yaml.Unmarshal(raw, &v, yaml.DecodeOpts{DisableTimestamps: true}); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if raw, err = json.Marshal(v); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var v any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// converted returns a document of Swagger 2 in the form of OpenAPI 3.
func converted(root Object) (Object, error) {
	raw, err := json.Marshal(root)
	if err != nil {
		return nil, err
	}
	var old openapi2.T
	if err := json.Unmarshal(raw, &old); err != nil {
		return nil, err
	}
	made, err := openapi2conv.ToV3(&old)
	if err != nil {
		return nil, err
	}
	if raw, err = json.Marshal(made); err != nil {
		return nil, err
	}
	var out Object
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return out, decoder.Decode(&out)
}

// isReference finds the references of a mapping, which may have names of components, too.
var isReference = regexp.MustCompile(`/|\.(json|ya?ml)$`)

// sectionOf is the section of the components that are like the members of a member.
var sectionOf = map[string]string{"parameters": "parameters", "responses": "responses", "headers": "headers",
	"requestBodies": "requestBodies", "content": "mediaTypes", "paths": "pathItems", "webhooks": "pathItems",
	"links": "links", "callbacks": "callbacks", "securitySchemes": "securitySchemes"}

// bundle copies what references to other files lead to. base is the file of v, or "" for the document. section has
// the components like v, and each those like its members.
func (d *Document) bundle(v any, base, section, each string) {
	switch v := v.(type) {
	case Object:
		if ref := Str(v["$ref"]); ref != "" && (base != "" || !strings.HasPrefix(ref, "#")) {
			v["$ref"] = d.bundled(ref, base, section)
		}
		mapping := Obj(Obj(v["discriminator"])["mapping"])
		for _, text := range Names(mapping) {
			ref := Str(mapping[text])
			if isReference.MatchString(ref) && (base != "" || !strings.HasPrefix(ref, "#")) {
				mapping[text] = d.bundled(ref, base, "schemas")
			}
		}
		for _, k := range Names(v) {
			switch {
			case k == "example" || k == "examples":
			case section == "schemas" || k == "schema" || k == "schemas":
				d.bundle(v[k], base, "schemas", "")
			case each != "":
				d.bundle(v[k], base, each, "")
			case k == "requestBody":
				d.bundle(v[k], base, "requestBodies", "")
			default:
				d.bundle(v[k], base, "", sectionOf[k])
			}
		}
	case []any:
		for _, x := range v {
			d.bundle(x, base, cmp.Or(each, section), "")
		}
	}
}

// bundled returns the reference to the component that holds what a reference to another file leads to, in a section
// if the reference names none.
func (d *Document) bundled(ref, base, section string) string {
	file, fragment, _ := strings.Cut(ref, "#")
	if file == "" {
		file = base
	} else {
		file = filepath.Join(filepath.Dir(base), file)
	}
	key := file + "#" + fragment
	if made := d.names[key]; made != "" {
		return made
	}
	tokens := strings.Split(strings.Trim(fragment, "/"), "/")
	kind, name := cmp.Or(section, "schemas"), strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if len(tokens) == 3 && tokens[0] == "components" {
		section, kind, name = tokens[1], tokens[1], tokens[2]
	} else if last := tokens[len(tokens)-1]; last != "" {
		name = last
	}
	all, name := d.addComponent(key, kind, name)
	if _, known := d.files[file]; !known {
		path := filepath.Join(filepath.Dir(d.path), file)
		raw, err := os.ReadFile(path)
		var v any
		if err == nil {
			v, err = decode(path, raw)
		}
		if err != nil {
			d.note(ref, "the file cannot be read, so this is empty: %v", err)
		}
		d.files[file] = v
	}
	at := d.files[file]
	for _, token := range tokens {
		if token != "" {
			at = Obj(at)[unescape.Replace(token)]
		}
	}
	if m := Obj(at); m != nil {
		m = Obj(Copied(m))
		all[name] = m
		d.bundle(m, file, section, "")
	} else if d.files[file] != nil {
		d.note(key, "this leads nowhere, and is read as empty")
	}
	return d.names[key]
}
