package locales

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	verso "github.com/goverso/verso/core"
)

//go:embed active.*.toml
var embedded embed.FS

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

// translations returns the translations, sorted by name, each with all messages.
func (t texts) translations() []*translation {
	translations := make([]*translation, 0, len(t))
	for tag := range t {
		messages := maps.Clone(t[language.English])
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

// addFS reads the message files at the root of fsys.
func (t texts) addFS(fsys fs.FS) error {
	if fsys == nil {
		return errors.New("locales: the file system is nil")
	}
	files, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return fmt.Errorf("locales: %w", err)
	}
	found := false
	for _, file := range files {
		name := file.Name()
		if !strings.HasPrefix(name, filePrefix) || !strings.HasSuffix(name, fileSuffix) {
			continue
		}
		found = true
		if err := t.addFile(fsys, name); err != nil {
			return fmt.Errorf("locales: file %q: %w", name, err)
		}
	}
	if !found {
		return fmt.Errorf("locales: no file at the root of the file system is named %q: if the files are in a folder, use fs.Sub",
			filePrefix+"<language>"+fileSuffix)
	}
	return nil
}

// addFile reads a message file. Its bundle has no other messages, so that the
// localizer cannot choose a text of another file.
func (t texts) addFile(fsys fs.FS, name string) error {
	tag, err := languageOf(name)
	if err != nil {
		return err
	}
	content, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	bundle := i18n.NewBundle(tag)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	file, err := bundle.ParseMessageFileBytes(content, name)
	if err != nil {
		return err
	}
	if len(file.Messages) == 0 {
		return errors.New("the file has no messages: add some, or remove the file")
	}
	if t[tag] == nil {
		t[tag] = make(map[verso.MessageID]string)
	}
	slices.SortFunc(file.Messages, func(a, b *i18n.Message) int { return strings.Compare(a.ID, b.ID) })
	localizer := i18n.NewLocalizer(bundle, tag.String())
	for _, message := range file.Messages {
		text, err := localise(localizer, message)
		if err != nil {
			return err
		}
		t[tag][verso.MessageID(message.ID)] = text
	}
	return nil
}

// languageOf returns the language in the name of a message file.
func languageOf(name string) (language.Tag, error) {
	text := strings.TrimSuffix(strings.TrimPrefix(name, filePrefix), fileSuffix)
	tag, err := language.Parse(text)
	if err != nil || tag == language.Und {
		return language.Und, fmt.Errorf("%q is not a language: name the file after a language tag (BCP 47), as in %q",
			text, filePrefix+"pt-BR"+fileSuffix)
	}
	return tag, nil
}

// localise returns the text of a message of a file.
func localise(localizer *i18n.Localizer, message *i18n.Message) (string, error) {
	if ids := messageIDs(); !slices.Contains(ids, message.ID) {
		return "", fmt.Errorf("unknown message %q: use one of %s", message.ID, strings.Join(ids, ", "))
	}
	if strings.TrimSpace(message.Other) == "" {
		return "", fmt.Errorf("message %q has no text: set %q", message.ID, "other")
	}
	text, err := localizer.Localize(&i18n.LocalizeConfig{MessageID: message.ID})
	if err != nil {
		return "", fmt.Errorf("message %q: %w", message.ID, err)
	}
	if text != message.Other {
		return "", fmt.Errorf("message %q is a template, but has nothing to insert: write plain text", message.ID)
	}
	return text, nil
}

func messageIDs() []string {
	ids := make([]string, 0, len(messages))
	for _, m := range messages {
		ids = append(ids, m.ID)
	}
	return ids
}
