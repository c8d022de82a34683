package document

// unnest empties a list or a map which has itself as its elements: their types in Go have no names.
func (d *Document) unnest() {
	for _, name := range Names(d.Schemas()) {
		within, at := map[string]bool{}, any(Ref(name))
		for {
			within[d.Component(at)] = true
			w := d.View(at)
			of := map[string]string{"list": "items", "map": "additionalProperties"}[w.Kind]
			next := w.Schema[of]
			if Obj(next) == nil {
				break
			}
			if c := d.Component(next); c != "" && within[c] {
				d.note("#/components/schemas/"+escape.Replace(name), "%s leads to itself, and is read as empty", of)
				w.Schema[of] = Object{}
				break
			}
			at = next
		}
	}
}
