package migrate

import "github.com/goverso/verso/migrate/internal/openapi"

// object returns the schema of an object for edits.
func (l *documentLowering) object(s map[string]any, isParameters bool) *openapi.Object {
	return &openapi.Object{Document: &l.Document, SchemaOf: l.schemaOf, Properties: openapi.PropertiesOf(s),
		IsParameters: isParameters}
}
