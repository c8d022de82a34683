package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

// listedValues drafts the edit of a member whose values, or those of its elements, are listed.
func (m *members) listedValues(p string, v, w, elemX, elemY document.View) {
	listed := elemX.Enum()
	if own := document.Obj(m.x.Props[p]); v.Kind != "list" && v.Nullable && (own["oneOf"] != nil || own["anyOf"] != nil) {
		listed = append(listed, nil) // a form of its own in the document, which the values beside it would exclude
	}
	enum := document.Object{"enum": listed}
	withoutConstant(enum, elemY.Schema)
	whole := document.Object(nil)
	switch {
	case v.Kind == "list":
		enum = document.Object{"items": enum}
	case !v.Nullable && !w.Nullable:
		if enum = m.listed(enum, m.x.Props[p], v); enum["oneOf"] != nil || enum["anyOf"] != nil {
			whole = enum
		}
	case len(listed) > len(elemX.Enum()):
		whole = maps.Clone(document.Obj(document.Shaped(m.inlined(m.x.Props[p]))))
		m.carry(whole)
		whole["type"], whole["enum"] = nil, nil
	}
	if whole == nil {
		whole = textKeywords(v, elemX)
	}
	m.values(p, elemX.Enum(), elemY.Enum(), enum, whole)
}

// listed returns the whole older schema of a scalar whose forms list its values, or enum, the keyword for them: beside
// the newer forms it would be another schema.
func (m *members) listed(enum document.Object, v any, w document.View) document.Object {
	own := m.a.Follow(v)
	if own["oneOf"] == nil && own["anyOf"] == nil || len(document.View{Schema: own}.Enum()) > 0 || !m.stays(own) {
		return enum
	}
	m.carry(own)
	whole := maps.Clone(document.Obj(document.Shaped(own)))
	whole["type"], whole["allOf"], whole["enum"] = w.Kind, nil, nil
	return whole
}

// textKeywords returns the keywords of older texts, or nil: Values takes them away, since it does not know how long the
// older values are.
func textKeywords(v, elem document.View) document.Object {
	made := document.Object{}
	for _, k := range []string{"format", "maxLength", "minLength", "pattern"} {
		if value, ok := elem.Schema[k]; ok {
			made[k] = value
		}
	}
	switch {
	case len(made) == 0:
		return nil
	case v.Kind == "list":
		return document.Object{"items": made}
	}
	return made
}

// values drafts the edit of a member whose listed values changed, and that enum describes as it was. whole describes
// more of it, or is nil.
func (m *members) values(p string, a, b []any, enum, whole document.Object) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	text := func(v any) string { return fmt.Sprint(v) }
	has := func(l []any, v any) bool {
		return slices.ContainsFunc(l, func(w any) bool { return text(w) == text(v) })
	}
	var gone, fresh, same []string
	texts := true
	for _, v := range a {
		_, isText := v.(string)
		texts = texts && isText
		if has(b, v) {
			same = append(same, text(v))
		} else {
			gone = append(gone, text(v))
		}
	}
	for _, v := range b {
		if !has(a, v) {
			fresh = append(fresh, text(v))
		}
	}
	if len(gone)+len(fresh) == 0 {
		return
	}
	changed := fmt.Sprintf("values of %q: gone are %s; new are %s", p, quoted(gone), quoted(fresh))
	renames, read, now, others := matched(gone, fresh, same)
	switch {
	case !texts:
		m.documents(p, enum, changed+": nothing is mapped. If they mean the same, use Mapped")
		return
	case read == "":
		m.documents(p, enum, fmt.Sprintf("all %s. Older clients read the new ones, and what they send stays, "+
			"until Values(%q, …) maps them", changed, p))
		return
	}
	arguments := []string{fmt.Sprintf("%q", p), "nil"}
	todo := changed
	if len(renames) > 0 {
		var list []string
		for _, g := range slices.Sorted(maps.Keys(renames)) {
			list = append(list, fmt.Sprintf("%q: %q", g, renames[g]))
		}
		arguments[1] = pairs(list)
		todo += fmt.Sprintf(". Renamed are {%s}, by their letters", strings.Join(list, ", "))
	}
	if len(others.fresh) > 0 {
		todo += fmt.Sprintf(". For a new one older clients read %q", read)
	}
	if len(others.gone) > 0 {
		todo += fmt.Sprintf(". What they send as a gone one is %q", now)
	}
	for _, f := range others.fresh {
		arguments = append(arguments, fmt.Sprintf("migrate.NewValue(%q, %q)", f, read))
	}
	for _, g := range others.gone {
		arguments = append(arguments, fmt.Sprintf("migrate.OldValue(%q, %q)", g, now))
	}
	before := ""
	if whole != nil {
		before = documented(p, whole)
	}
	e := m.forms(m.name, "Values", p, before, []string{todo + ". If not, they read and mean other values"},
		strings.Join(arguments, ", "))
	e.Options = append(e.Options, strings.TrimSuffix(documented(p, enum), ",\n"))
	if len(renames)+len(others.gone) == 0 {
		e.Kind = "NewValue" // requests mean the same
	}
}

// changes are the values that no rename explains.
type changes struct{ gone, fresh []string }

// matched finds renamed values, by their letters. Older clients read the value read for new
// ones, and mean the value now by gone ones; both are "" if no value is in both versions.
func matched(gone, fresh, same []string) (renames map[string]string, read, now string, rest changes) {
	renames = map[string]string{}
	rest.fresh = slices.Clone(fresh)
	for _, g := range gone {
		i := slices.IndexFunc(rest.fresh, func(f string) bool {
			return gotype.Norm(f) == gotype.Norm(g) && gotype.Norm(g) != ""
		})
		if i < 0 {
			rest.gone = append(rest.gone, g)
			continue
		}
		renames[g] = rest.fresh[i]
		if read == "" {
			read, now = g, rest.fresh[i]
		}
		rest.fresh = slices.Delete(rest.fresh, i, i+1)
	}
	if len(same) > 0 {
		read, now = same[0], same[0]
	}
	return renames, read, now, rest
}

func quoted(l []string) string {
	if len(l) == 0 {
		return "none"
	}
	if len(l) > 8 {
		l = append(slices.Clone(l[:8]), fmt.Sprintf("and %d more", len(l)-8))
	}
	raw, err := json.Marshal(l)
	if err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(strings.Trim(string(raw), "[]"), `","`, `", "`)
}
