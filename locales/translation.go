package locales

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	verso "github.com/goverso/verso/core"
)

//go:embed active.*.toml
var embedded embed.FS

// Files returns the message files of this package, "active.<language>.toml", for a
// service with a bundle of go-i18n of its own: see [FromBundle].
func Files() fs.FS { return embedded }

// The name of a message file is its language tag between these.
const (
	filePrefix = "active."
	fileSuffix = ".toml"
)

// translation has the messages in one language.
type translation struct {
	tag      language.Tag
	name     string // the tag as a string
	messages map[verso.MessageID]string
}

// texts are the localised messages of all files, by language.
type texts map[language.Tag]map[verso.MessageID]string

// translations returns the translations, sorted by name, each with the messages that it has.
func (t texts) translations() []*translation {
	translations := make([]*translation, 0, len(t))
	for tag := range t {
		messages := make(map[verso.MessageID]string)
		t.copyTo(messages, tag)
		translations = append(translations, &translation{tag, tag.String(), messages})
	}
	slices.SortFunc(translations, func(a, b *translation) int { return strings.Compare(a.name, b.name) })
	return translations
}

// copyTo copies the messages of a language. It copies those that the language lacks
// from the more general one: for de-AT from de.
func (t texts) copyTo(messages map[verso.MessageID]string, tag language.Tag) {
	if parent := tag.Parent(); parent != language.Und {
		t.copyTo(messages, parent)
	}
	maps.Copy(messages, t[tag])
}

// addEmbedded reads the file of a language, if the package has one. goi18n writes these
// files with each text on a line of its own: to read lines is many times faster than to
// parse TOML.
func (t texts) addEmbedded(tag language.Tag) error {
	content, err := embedded.ReadFile(filePrefix + tag.String() + fileSuffix)
	if err != nil || t[tag] != nil {
		return nil // there is no file of the language
	}
	t[tag] = make(map[verso.MessageID]string, len(messages))
	id := ""
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSuffix(line, "\n")
		if section, ok := strings.CutPrefix(line, "["); ok {
			id = strings.TrimSuffix(section, "]")
		} else if quoted, ok := strings.CutPrefix(line, "other = "); ok {
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return fmt.Errorf("locales: %s, message %q: %w", tag, id, err)
			}
			t[tag][verso.MessageID(id)] = text
		}
	}
	return nil
}

// addAllEmbedded reads all files of the package.
func (t texts) addAllEmbedded() error {
	files, err := embedded.ReadDir(".")
	if err != nil {
		return err
	}
	for _, file := range files {
		tag, err := language.Parse(strings.TrimSuffix(strings.TrimPrefix(file.Name(), filePrefix), fileSuffix))
		if err != nil {
			return err
		}
		if err := t.addEmbedded(tag); err != nil {
			return err
		}
	}
	return nil
}

// addFS reads the message files at the root of fsys, in the given formats.
func (t texts) addFS(fsys fs.FS, formats map[string]i18n.UnmarshalFunc) error {
	if fsys == nil {
		return errors.New("locales: the file system is nil")
	}
	files, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return fmt.Errorf("locales: %w", err)
	}
	found, added := false, 0
	for _, file := range files {
		tag, ok, err := languageOf(file.Name(), formats)
		if ok && err == nil {
			var n int
			n, err = t.addFile(fsys, file.Name(), tag, formats)
			found, added = true, added+n
		}
		if err != nil {
			return fmt.Errorf("locales: file %q: %w", file.Name(), err)
		}
	}
	switch {
	case !found:
		return fmt.Errorf("locales: no file at the root of the file system is named %q: "+
			"if the files are in a folder, use fs.Sub",
			filePrefix+"<language>"+fileSuffix)
	case added == 0:
		return fmt.Errorf("locales: no file has a message of Verso: use one of the IDs %s",
			strings.Join(messageIDs(), ", "))
	}
	return nil
}

// addFile reads the messages of Verso in a file, and returns how many it has. The other
// messages belong to the service.
func (t texts) addFile(fsys fs.FS, name string, tag language.Tag,
	formats map[string]i18n.UnmarshalFunc) (added int, err error) {
	content, err := fs.ReadFile(fsys, name)
	if err != nil {
		return 0, err
	}
	file, err := i18n.ParseMessageFileBytes(content, name, formats)
	if err != nil {
		return 0, err
	}
	if len(file.Messages) == 0 {
		return 0, errors.New("the file has no messages: add some, or remove the file")
	}
	slices.SortFunc(file.Messages, func(a, b *i18n.Message) int { return strings.Compare(a.ID, b.ID) })
	for _, message := range file.Messages {
		own, err := isOwn(message)
		if err != nil {
			return 0, err
		}
		if own {
			continue
		}
		if t[tag] == nil {
			t[tag] = make(map[verso.MessageID]string)
		}
		t[tag][verso.MessageID(message.ID)] = message.Other
		added++
	}
	return added, nil
}

// languageOf returns the language in the name of a message file, as go-i18n finds it. ok
// is false for another file.
func languageOf(name string, formats map[string]i18n.UnmarshalFunc) (tag language.Tag, ok bool, err error) {
	stem, format := strings.TrimSuffix(name, path.Ext(name)), strings.TrimPrefix(path.Ext(name), ".")
	text, active := strings.CutPrefix(stem, filePrefix)
	tag, err = language.Parse(text)
	switch known := formats[format] != nil; {
	case active && !known:
		return tag, false, fmt.Errorf("nothing reads the format %q: use WithUnmarshal", format)
	case active && (err != nil || tag == language.Und):
		return tag, false, fmt.Errorf("%q is not a language: name the file after a language tag (BCP 47), as in %q",
			text, filePrefix+"pt-BR."+format)
	}
	return tag, active || formats[format] != nil && err == nil && tag != language.Und, nil
}

// isOwn reports whether a message is one of the service. The error describes what is wrong
// with one of Verso.
func isOwn(message *i18n.Message) (bool, error) {
	ids := messageIDs()
	if message.ID == "" {
		return false, errors.New("the file is a single message: write each message under its ID")
	}
	if !slices.Contains(ids, message.ID) {
		for _, id := range ids {
			if meant := strings.TrimPrefix(message.ID, "verso."); isNear(meant, id) {
				return false, fmt.Errorf("unknown message %q: "+
					"write %q, or give a message of your own a name that is less like it", message.ID, id)
			}
		}
		return true, nil
	}
	switch {
	case strings.TrimSpace(message.Other) == "":
		return false, fmt.Errorf("message %q has no text: set %q", message.ID, "other")
	case strings.Contains(message.Other, cmp.Or(message.LeftDelim, "{{")):
		return false, fmt.Errorf("message %q is a template, but has nothing to insert: write plain text", message.ID)
	}
	return false, nil
}

// isNear reports whether two texts differ in one character at most, as by a slip.
func isNear(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i == len(a) || a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

func messageIDs() []string {
	ids := make([]string, 0, len(messages))
	for _, m := range messages {
		ids = append(ids, m.ID)
	}
	return ids
}
