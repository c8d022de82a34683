package migrate

import (
	"fmt"

	verso "github.com/goverso/verso/core"
)

// Covers returns the routes of a service that are in several versions and rewrite no
// bodies, such as "GET /users/{id}": they serve the newest form in all of them. For a
// route whose bodies never changed, give a [History.Route] without a body to Rewrite.
// service is what the adapter's Explain returns.
func (h *History) Covers(service *verso.Explanation) (missing []string) {
	for _, r := range service.Routes {
		versions := 0
		for _, revision := range h.revisions {
			if r.InVersion(revision.name) {
				versions++
			}
		}
		if versions > 1 && !r.Neutral && !r.Unchecked && !r.Rewritten {
			missing = append(missing, fmt.Sprintf("%s %s", r.Method, r.Host+r.Pattern))
		}
	}
	return missing
}
