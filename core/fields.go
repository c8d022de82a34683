package verso

import (
	"net/http"

	"github.com/goverso/verso/core/internal/vary"
)

// AddVary adds names to the Vary field of a response of net/http, without duplicates and
// in one line, since some caches read the last one only. Use it in handlers as well:
// header.Set("Vary", ...) removes what Verso wrote. A framework apart from net/http
// has [github.com/goverso/verso/core/adapter.FieldMode.Join].
func AddVary(header http.Header, names ...string) {
	if lines := vary.Join(header["Vary"], names...); len(lines) > 0 {
		header["Vary"] = lines
	}
}
