// Drafted from published documents, to be edited; sha256 09b10fead361f6c4edbfa61117c3aa9f136a4bf5105b08dc0c14254ba7768501

package api

import (
	"net/http"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/migrate"
)

// Routes registers the operations. TODO: give each its handler.
func Routes(v *versochi.Routes, h *migrate.History) {
	v.Rewrite(h.Route(migrate.Returns[Admin]())).Get("/admins", notImplemented)
	v.Rewrite(h.Route(migrate.Returns[Guest]())).Get("/linked", notImplemented)
	v.Rewrite(h.Route()).Get("/o", notImplemented)
	v.Rewrite(h.Route(migrate.Returns[User]())).Get("/users", notImplemented)
}

// notImplemented answers in place of the handlers.
func notImplemented(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "not implemented", http.StatusNotImplemented)
}
