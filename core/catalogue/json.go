package catalogue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/goverso/verso/core/internal/strictjson"
)

// Parse makes the catalogue of a [Config] in JSON, such as an embedded file.
// The errors are those of [Config.UnmarshalJSON] and [New].
func Parse(data []byte) (*Catalogue, error) {
	var config Config
	if err := config.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	return New(config)
}

// MustParse is [Parse] for data that is embedded in the program. It panics if the data has mistakes.
func MustParse(data []byte) *Catalogue { return must(Parse(data)) }

// UnmarshalJSON decodes c from the JSON form. A mistake in the form, such as an
// unknown key, is one [*Error] with the code json_malformed, json_type,
// json_key_unknown or json_key_twice. Otherwise, if a date is wrong, the error joins
// all mistakes in dates and those that [New] would find.
func (c *Config) UnmarshalJSON(data []byte) error {
	if string(bytes.TrimSpace(data)) == "null" {
		return nil // the convention of encoding/json
	}
	var form configForm
	err := strictjson.Unmarshal(data, &form)
	var mistake *strictjson.Error
	if errors.As(err, &mistake) {
		known, isKey := strings.CutSuffix(mistake.Message, ": correct the key, or remove it")
		if isKey && isOfFileconfig(data) {
			mistake.Message = known + ": read a file with sources with package fileconfig"
		}
		return &Error{Code: mistake.Code, Message: mistake.Message}
	} else if err != nil {
		return err
	}
	var m mistakes
	decoded := form.config(&m)
	if len(m) > 0 {
		decoded.check(&m)
		return m.err()
	}
	*c = decoded
	return nil
}

// isOfFileconfig reports whether JSON has the keys of a file for package fileconfig, which has the catalogue in it.
func isOfFileconfig(data []byte) bool {
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(data, &keys)
	return keys["scheme"] != nil || keys["sources"] != nil || keys["catalogue"] != nil
}

// The JSON form, in which dates are strings.
type (
	plainConfig Config // without methods
	configForm  struct {
		plainConfig
		Versions []entryForm `json:"versions"`
	}
	entryForm struct {
		Entry
		Released   *string        `json:"released"`
		Deprecated *string        `json:"deprecated"`
		Sunset     *string        `json:"sunset"`
		Brownouts  []brownoutForm `json:"brownouts"`
	}
	brownoutForm struct {
		Brownout
		From  *string `json:"from"`
		Until *string `json:"until"`
	}
)

// config returns the configuration with the dates of the form.
func (f *configForm) config(m *mistakes) Config {
	c := Config(f.plainConfig)
	c.Versions = nil
	for i, form := range f.Versions {
		field := fmt.Sprintf("versions[%d].", i)
		entry := form.Entry
		entry.Released = dateOf(m, field+"released", form.Released)
		entry.Deprecated = dateOf(m, field+"deprecated", form.Deprecated)
		entry.Sunset = dateOf(m, field+"sunset", form.Sunset)
		for j, window := range form.Brownouts {
			field := fmt.Sprintf("%sbrownouts[%d].", field, j)
			window.Brownout.From = dateOf(m, field+"from", window.From)
			window.Brownout.Until = dateOf(m, field+"until", window.Until)
			entry.Brownouts = append(entry.Brownouts, window.Brownout)
		}
		c.Versions = append(c.Versions, entry)
	}
	return c
}

// dateOf reads a date of the form; text is nil when the date is not set.
func dateOf(m *mistakes, field string, text *string) time.Time {
	if text == nil {
		return time.Time{}
	}
	t, err := ParseDate(*text)
	var mistake *Error
	if errors.As(err, &mistake) {
		m.say(field, mistake)
		return reported
	}
	return t
}
