package migrate

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/goverso/verso/migrate/internal/declared"
)

// answer is an edit of what a route answers, which a change has.
type answer struct {
	change *Change
	err    error // of its declaration
	declared.Answer
}

// answer returns the declaration of an edit. Each kind of edit is a function that calls it, with the two sides, the
// functions for messages, and the function for documents.
func (c *Change) answer(a declared.Answer, mistakes ...error) Body {
	return func(b *bodies) {
		c.declared.Store(true)
		b.answers = append(b.answers, answer{c, errors.Join(mistakes...), a})
	}
}

// sent returns the answers that a client notices.
func sent(list []declared.Answer) []declared.Answer {
	return slices.DeleteFunc(slices.Clone(list), func(a declared.Answer) bool { return !a.IsSent() })
}

// answersIn returns the edits that the responses of the version at index do not have, the
// newest first.
func (all revisions) answersIn(b *bodies, index int) (list []declared.Answer) {
	for _, r := range all[:index] {
		for _, c := range slices.Backward(r.changes) {
			for _, a := range slices.Backward(b.answers) {
				if a.change == c {
					a.Version, a.Change = r.name, c.text
					list = append(list, a.Answer)
				}
			}
		}
	}
	return list
}

// checkAnswers notes what does not fit in the edits of a route's answers. A change that no release has
// would never apply, silently.
func (all revisions) checkAnswers(b *bodies) {
	releases := map[*Change]string{}
	for _, r := range all {
		for _, c := range r.changes {
			releases[c] = r.name
		}
	}
	for i, a := range b.answers {
		// Of one release, each applies to what the handler wrote.
		isBoth := func(other answer) bool {
			return releases[a.change] == releases[other.change] && a.About == other.About &&
				(a.Is == other.Is || a.Is == other.Was || a.Was == other.Is || a.Fields != nil && a.Was == other.Was) &&
				(a.Statuses == nil || other.Statuses == nil ||
					slices.ContainsFunc(a.Statuses, func(status int) bool { return slices.Contains(other.Statuses, status) }))
		}
		switch {
		case releases[a.change] == "":
			b.refuse("%s: the change %q is in no release: give it to one", a.Text, a.change.text)
		case a.err != nil:
			b.refuse("%s: %w", a.Text, a.err)
		case a.Status != nil && b.Returns != nil && a.Status(http.StatusNoContent) < 300 &&
			a.Status(http.StatusNoContent) != http.StatusNoContent:
			b.refuse(
				"%s: older clients read a body, and the newest response has none: answer with status 200 and a body, and use Status(204, 200) the other way round", a.Text)
		case slices.ContainsFunc(b.answers[:i], isBoth):
			b.refuse(
				"%s: another change of the same release is about the same %s: join them, or declare a release for each", a.Text, a.About)
		}
	}
}

// checkStatuses notes the statuses with types of their own that the handler writes no longer, by the edits: the newest
// status decides the type of a body, so a status of older clients alone would have another type than declared.
func (all revisions) checkStatuses(b *bodies) {
	listed, moved := b.Listed(), map[int]bool{} // moved are those that older ones come from
	has := func(about, is string) bool {
		return slices.ContainsFunc(b.answers, func(a answer) bool { return a.About == about && a.Is == is })
	}
	for _, a := range b.answers {
		status, _ := strconv.Atoi(a.Is)
		isGone := a.About == "gone status" && !has("new status", a.Is) && !has("status", a.Is)
		if isGone && slices.Contains(listed, status) {
			b.refuse("%s, and Returns or Fails lists it: give the body to RemovedStatus", a.Text)
		}
		isAlsoOld := func(other answer) bool { return other.Status != nil && other.Was == a.Is }
		if a.Status != nil && !slices.ContainsFunc(b.answers, isAlsoOld) {
			moved[status] = true
		}
	}
	refused := map[int]bool{}
	for index := range all {
		edits := all.answersIn(b, index)
		for _, now := range slices.Sorted(maps.Keys(moved)) {
			old := declared.StatusOf(edits, now)
			stays := declared.StatusOf(edits, old) == old
			isOne := old != now && stays && old < http.StatusBadRequest == (now < http.StatusBadRequest)
			isOther := isOne && !maps.Equal(b.describing(old), b.describing(now))
			if slices.Contains(listed, old) && isOther && !refused[old] {
				refused[old] = true
				b.refuse("status %d is declared with another body than %d, which older clients get as %d: "+
					"the newest status decides the type, so list %d", old, now, old, now)
			}
		}
	}
}
