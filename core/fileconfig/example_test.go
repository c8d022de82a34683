package fileconfig_test

import (
	"encoding/json"
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/fileconfig"
)

func ExampleConfig_New() {
	var file fileconfig.Config
	err := json.Unmarshal([]byte(`{
		"allowed_versions": ["v1", "v2"],
		"sources": [{"kind": "path", "name": "version"}, {"kind": "header", "name": "Api-Version"}]
	}`), &file)
	if err != nil {
		fmt.Println(err)
		return
	}
	api, err := file.New(verso.Config{Strict: verso.Strict()}) // what a file cannot say
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(api.Sources(), api.Versions())
	// Output: [path parameter "version" header "Api-Version"] [v1 v2]
}

// Kinds drive what has to know each kind of source, here a form of a configuration.
func ExampleKinds() {
	for _, kind := range fileconfig.Kinds() {
		if kind.Key == "template" {
			fmt.Printf("%s: such as %q\n", kind.Name, kind.Example)
		}
	}
	// Output:
	// path_prefix: such as "/api/{version}"
	// media_type: such as "application/vnd.acme.{version}+json"
}
