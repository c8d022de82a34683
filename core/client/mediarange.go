package client

import (
	"iter"
	"strings"
)

// mediaRange is an element of an Accept field (RFC 9110, section 12.5.1).
type mediaRange struct {
	text string // without white space around it
	name string // type/subtype, at the beginning of text
}

// ranges returns the elements of the lines of an Accept field that are not empty,
// those that are no media ranges included.
func ranges(lines []string) iter.Seq[mediaRange] {
	return func(yield func(mediaRange) bool) {
		for _, line := range lines {
			for line != "" {
				var text string
				text, line = cutUnquoted(line, ',')
				if text = trim(text); text == "" {
					continue
				}
				name, _ := cutUnquoted(text, ';')
				if !yield(mediaRange{text, trim(name)}) {
					return
				}
			}
		}
	}
}

// isRange reports whether the element is a media range, whose quotes are closed.
func (r mediaRange) isRange() bool {
	typ, subtype, ok := strings.Cut(r.name, "/")
	return ok && !endsQuoted(r.text) && typ != "" && subtype != "" && !strings.ContainsAny(r.name, " \t\"") && (typ != "*" || subtype == "*")
}

// params returns the names and the values of the parameters.
func (r mediaRange) params() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, rest := cutUnquoted(r.text, ';'); rest != ""; {
			var param string
			param, rest = cutUnquoted(rest, ';')
			if name, value, _ := strings.Cut(param, "="); !yield(trim(name), trim(value)) {
				return
			}
		}
	}
}

// weight returns the weight, "" for none and "0" for each way to write zero.
func (r mediaRange) weight() (weight string) {
	for name, value := range r.params() {
		if equalFold(name, "q") {
			weight = value
		}
	}
	if strings.HasPrefix(weight, "0") && strings.Trim(weight, "0.") == "" {
		return "0"
	}
	return weight
}

// with returns the range with a parameter in front of its weight.
func (r mediaRange) with(param string) string {
	at, rest := 0, r.text
	for rest != "" {
		var part string
		part, rest = cutUnquoted(rest, ';')
		if name, _, _ := strings.Cut(part, "="); at > 0 && equalFold(trim(name), "q") {
			return strings.TrimRight(r.text[:at-1], " \t;") + param + r.text[at-1:]
		}
		at += len(part) + 1
	}
	return strings.TrimRight(r.text, " \t;") + param
}

// cutUnquoted cuts text around the first separator outside quotes. A quote that
// is never closed reaches to the end.
func cutUnquoted(text string, separator byte) (before, after string) {
	end, _ := scan(text, separator)
	return text[:end], text[min(end+1, len(text)):]
}

// endsQuoted reports whether a quote is never closed.
func endsQuoted(text string) bool {
	_, quoted := scan(text, ',')
	return quoted
}

// scan returns the index of the first separator outside quotes, or the length of
// the text and whether it ends within quotes.
func scan(text string, separator byte) (end int, quoted bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == separator && !quoted:
			return i, false
		}
	}
	return len(text), quoted
}

// unquote returns the value of a quoted string (RFC 9110, section 5.6.4), and
// other text as it is.
func unquote(text string) string {
	if value, rest := cutQuoted(text); strings.HasPrefix(text, `"`) && rest == "" {
		return value
	}
	return text
}

// trim removes the white space around an element (RFC 9110, section 5.6.3).
func trim(text string) string { return strings.Trim(text, " \t") }
