package exchange

import (
	"errors"

	"github.com/goverso/verso/migrate/internal/rewrite"
)

// lowerEvent lowers the data of an event. Data of a name that the route does not declare may be of
// an edited type, so it does not pass.
func (e *Edition) lowerEvent(name string, data []byte) ([]byte, error) {
	t := e.bodies.Event(name)
	switch plan := e.lowered[t]; {
	case e.bodies.Passing.Have(name, data):
		return data, nil
	case t == nil:
		return nil, errors.New(
			"it has no type: declare it with Event, or with PassesEvent if it is the same in all versions")
	case plan == nil:
		return data, nil
	default:
		return rewrite.Whole(plan, data, e.mode())
	}
}
