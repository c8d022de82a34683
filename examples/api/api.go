// Package api is a small service with users and their orders in two versions,
// without a web framework. Packages echoapi and ginapi serve it.
//
// A user has an email address since v2. Each answer holds links, all of which
// stay in the version of the request but for those to other versions.
package api

import verso "github.com/goverso/verso/core"

// The names that the frameworks' routes have. All but UserList take an "id": of
// the user for OrderList, which lists the orders of one.
const (
	UserList    = "user-list"
	UserDetail  = "user-detail"
	OrderList   = "order-list"
	OrderDetail = "order-detail"
)

// Mounted returns the versions that routes are mounted for where each version
// has its own: in the namespace scheme. v9 is in preparation: it has its routes,
// but is refused as long as the configuration does not allow it.
func Mounted() []string {
	return []string{"v1", "v2", "v9"}
}

// API answers with users and orders.
type API struct {
	versions []string
}

// New returns an API whose answers link to the given versions.
func New(versions []string) *API {
	return &API{versions}
}

// Call is what the API needs to know of a request.
type Call struct {
	Version verso.Version
	Reverse func(verso.Target) (string, error)
}

// User is a user as clients see it.
type User struct {
	Version verso.Version `json:"version"`
	ID      int           `json:"id"`
	Name    string        `json:"name"`
	Email   string        `json:"email,omitempty"` // since v2
	Orders  string        `json:"orders"`
	Links
}

// Order is an order as clients see it.
type Order struct {
	Version verso.Version `json:"version"`
	ID      int           `json:"id"`
	Item    string        `json:"item"`
	User    string        `json:"user"`
	Links
}

// User returns the user with the given id. Like all methods, it fails with
// [ErrNotFound] when there is none, and when a link cannot be built.
func (a *API) User(call Call, id string) (User, error) {
	u, err := findUser(id)
	if err != nil {
		return User{}, err
	}
	l := a.linker(call)
	found := l.user(u)
	return found, l.err
}

// Order returns the order with the given id.
func (a *API) Order(call Call, id string) (Order, error) {
	o, err := findOrder(id)
	if err != nil {
		return Order{}, err
	}
	l := a.linker(call)
	found := l.order(o)
	return found, l.err
}

// Users returns the page of all users with the given number, "" for the first.
func (a *API) Users(call Call, page string) (Page[User], error) {
	l := a.linker(call)
	return paginate(l, verso.Target{Name: UserList}, page, users, l.user)
}

// Orders returns a page of the orders of a user.
func (a *API) Orders(call Call, userID, page string) (Page[Order], error) {
	u, err := findUser(userID)
	if err != nil {
		return Page[Order]{}, err
	}
	l := a.linker(call)
	return paginate(l, to(OrderList, u.id), page, ordersOf(u), l.order)
}

func (l *linker) user(u user) User {
	found := User{
		Version: l.call.Version,
		ID:      u.id,
		Name:    u.name,
		Orders:  l.link(to(OrderList, u.id)),
		Links:   l.links(to(UserDetail, u.id)),
	}
	if l.call.Version != verso.V("v1") {
		found.Email = u.email
	}
	return found
}

func (l *linker) order(o order) Order {
	return Order{
		Version: l.call.Version,
		ID:      o.id,
		Item:    o.item,
		User:    l.link(to(UserDetail, o.userID)),
		Links:   l.links(to(OrderDetail, o.id)),
	}
}

// to returns the target of a route that takes an id.
func to(name string, id int) verso.Target {
	return verso.Target{Name: name, Kwargs: verso.Kwargs{"id": id}}
}
