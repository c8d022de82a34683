package verso

import "github.com/goverso/verso/core/catalogue"

// Decision is what was decided on a request.
type Decision struct {
	// Result is what the handlers may ask for, nil when the request is
	// rejected.
	Result *Result

	// Vary names the request headers that the decision depends on, in
	// canonical form: the response must name them, whatever its status. All
	// responses share the slice: callers must not modify it.
	Vary []string

	fields []Field          // of the version or the route
	lists  *catalogue.Lists // of versions, nil without a catalogue
	served *Field           // the version that is served, nil: it is not said
	expose *Field           // names the others, nil: none does
	extra  []Field          // made for the request

	// For Observe.
	second int64           // in which the catalogue was asked, 0: it was not
	asked  int32           // index of the version that the request is for, from 1; 0: that of Result
	state  catalogue.State // of that version, zero: it is supported
	named  bool            // the request names a version
	exempt bool            // nothing was decided
}

// Result is what an adapter keeps of a request for the handlers.
type Result struct {
	Version Version // none when the request has none

	api   *Versioning
	part  int
	index int // of the version, -1: it is not known
}

// Versioning returns what determined the version.
func (res *Result) Versioning() *Versioning { return res.api }

// Field is a response field with its lines, ready to be sent. Callers must not
// modify the lines.
type Field = catalogue.Field

// Mode says how a [Field] joins the fields that a response has already.
type Mode uint8

// The modes.
const (
	SetField  Mode = iota // in place of a field of that name
	AddField              // behind the lines of that name
	KeepField             // unless there is a field of that name
)

// Fields calls write for each response field that the decision asks for, beside
// Vary. An adapter writes them before the handler runs, so that the handler can
// add to them.
func (d *Decision) Fields(write func(field Field, mode Mode)) {
	if d.lists == nil {
		return
	}
	for _, field := range d.fields {
		write(field, modeOf(field.Name))
	}
	for _, field := range d.extra {
		write(field, modeOf(field.Name))
	}
	for _, field := range d.lists.Fields {
		write(field, SetField)
	}
	if d.served != nil {
		write(*d.served, SetField)
	}
	if d.expose != nil {
		write(*d.expose, AddField)
	}
}

func modeOf(name string) Mode {
	switch name {
	case catalogue.LinkField:
		return AddField
	case catalogue.DeprecationField, catalogue.SunsetField:
		return KeepField
	}
	return SetField
}
