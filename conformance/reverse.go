package conformance

// TableRoute is a route of a table in routes.json.
type TableRoute struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"` // "" or null: none
	Pattern   string `json:"pattern"`
}
