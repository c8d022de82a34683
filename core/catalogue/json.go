package catalogue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Parse returns the catalogue of a [Config] in JSON, such as an embedded file.
// The errors are those of [Config.UnmarshalJSON] and of [New].
func Parse(data []byte) (*Catalogue, error) {
	var config Config
	if err := json.Unmarshal(data, &config); err != nil {
		return nil, err
	}
	return New(config)
}

// UnmarshalJSON decodes c from the JSON form. It returns all mistakes that it
// finds, each an [*Error], joined. Mistakes in dates do not hide those that [New]
// would find.
func (c *Config) UnmarshalJSON(data []byte) error {
	var m mistakes
	var decoded Config
	switch {
	case !utf8.Valid(data) || !json.Valid(data):
		m.add("", CodeJSONMalformed, "a catalogue is a JSON object in UTF-8")
	case isNull(data):
		return nil // as encoding/json has it
	default:
		object(configMembers(&decoded))(&m, "", data)
	}
	if len(m.errs) > 0 && m.onlyAboutDates() {
		m.check(&decoded)
	}
	if err := m.err(); err != nil {
		return err
	}
	*c = decoded
	return nil
}

func configMembers(c *Config) members {
	return members{
		"versions":        list(&c.Versions, entryMembers),
		"after_sunset":    text(&c.AfterSunset),
		"report":          value(&c.Report, "true or false"),
		"served_header":   text(&c.ServedHeader),
		"successor_links": value(&c.SuccessorLinks, "true or false"),
		"expose_headers":  value(&c.ExposeHeaders, "true or false"),
	}
}

func entryMembers(e *Entry) members {
	return members{
		"version":      text(&e.Version),
		"released":     date(&e.Released),
		"deprecated":   date(&e.Deprecated),
		"sunset":       date(&e.Sunset),
		"successor":    text(&e.Successor),
		"preview":      value(&e.Preview, "true or false"),
		"links":        list(&e.Links, linkMembers),
		"brownouts":    list(&e.Brownouts, brownoutMembers),
		"after_sunset": text(&e.AfterSunset),
	}
}

func linkMembers(l *Link) members {
	return members{
		"rel":      text(&l.Rel),
		"href":     text(&l.Href),
		"type":     text(&l.Type),
		"title":    text(&l.Title),
		"hreflang": text(&l.Hreflang),
	}
}

func brownoutMembers(b *Brownout) members {
	return members{
		"from":   date(&b.From),
		"until":  date(&b.Until),
		"status": value(&b.Status, "a whole number"),
	}
}

type (
	// decoder decodes the JSON value of a field.
	decoder func(m *mistakes, field string, data []byte)

	// members are the keys of an object. Unlike those of encoding/json, they
	// are compared byte by byte, and may occur once.
	members map[string]decoder
)

// object decodes an object with these members. A member that is null is absent.
func object(known members) decoder {
	return func(m *mistakes, field string, data []byte) {
		input := json.NewDecoder(bytes.NewReader(data))
		if start, err := input.Token(); err != nil || start != json.Delim('{') {
			m.add(field, CodeJSONType, "the value is no object: write one")
			return
		}
		seen := make(map[string]bool, len(known))
		for input.More() {
			key, err := input.Token()
			var raw json.RawMessage
			if err != nil || input.Decode(&raw) != nil {
				m.add(field, CodeJSONMalformed, "the object is no JSON")
				return
			}
			name := key.(string) // the keys of a valid object
			member := strings.TrimPrefix(field+"."+name, ".")
			decode, found := known[name]
			switch {
			case !found:
				m.add(field, CodeJSONKeyUnknown, "unknown key %s: write one of %s", quote(name), strings.Join(slices.Sorted(maps.Keys(known)), ", "))
			case seen[name]:
				m.add(member, CodeJSONKeyTwice, "the key occurs twice: remove one of them")
			case !isNull(raw):
				decode(m, member, raw)
			}
			seen[name] = true
		}
	}
}

// list decodes an array of objects.
func list[T any](into *[]T, membersOf func(*T) members) decoder {
	return func(m *mistakes, field string, data []byte) {
		var elements []json.RawMessage
		if json.Unmarshal(data, &elements) != nil {
			m.add(field, CodeJSONType, "the value is no list: write one")
			return
		}
		*into = make([]T, len(elements))
		for i, element := range elements {
			object(membersOf(&(*into)[i]))(m, fmt.Sprintf("%s[%d]", field, i), element)
		}
	}
}

// text decodes a string.
func text[T ~string](into *T) decoder {
	return value(into, "text")
}

// date decodes a date, see [ParseDate].
func date(into *time.Time) decoder {
	return func(m *mistakes, field string, data []byte) {
		var text string
		if json.Unmarshal(data, &text) != nil {
			m.add(field, CodeJSONType, "%s is no text: write a date in quotes", quote(string(data)))
			return
		}
		t, code := parseDate(text)
		if *into = t; code != "" {
			*into = reported
			m.add(field, code, "%s", dateMessage(code, quote(text)))
		}
	}
}

// value decodes a value that encoding/json decodes as the form has it.
func value[T any](into *T, what string) decoder {
	return func(m *mistakes, field string, data []byte) {
		if json.Unmarshal(data, into) != nil {
			m.add(field, CodeJSONType, "%s is not %s", quote(string(data)), what)
		}
	}
}

func isNull(data []byte) bool {
	return string(bytes.TrimSpace(data)) == "null"
}
