package migrate_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/testdata/casetest"
)

// TestCases runs the cases of testdata/cases, or of the folder VERSO_MIGRATE_CASES.
func TestCases(t *testing.T) {
	folder := "testdata/cases"
	if other := os.Getenv("VERSO_MIGRATE_CASES"); other != "" {
		folder = other
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no cases in %s", folder)
	count := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var c migrationCase
			require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
			count++
			t.Run(c.ID, c.check)
		}
		require.NoError(t, lines.Err())
	}
	t.Logf("%d cases", count)
}

func (c *migrationCase) check(t *testing.T) {
	out, class := c.run(t)
	if class != "" || c.Error != "" {
		require.Equal(t, c.Error, class, "got %s, wanted %s", out, c.Want)
		return
	}
	require.True(t, sameJSON([]byte(out), []byte(c.Want), c.Direction == "up"), "\n in   %s\n got  %s\n want %s", c.In, out, c.Want)
	for _, text := range c.Verbatim {
		assert.Contains(t, out, text)
	}
}

// run returns what the module makes of the case, or the class of its error.
func (c *migrationCase) run(t *testing.T) (out, class string) {
	t.Helper()
	h, root, err := c.History()
	if err != nil {
		return err.Error(), "build"
	}
	version := verso.V(c.Version)
	var raw []byte
	switch {
	case c.Direction == "down":
		raw, err = h.LowerJSON(version, root, []byte(c.In))
	case c.Partial:
		raw, err = h.LiftPartial(version, root, []byte(c.In))
	case c.Replace:
		raw, err = h.LiftReplacing(version, root, []byte(c.In))
	default:
		raw, err = h.LiftJSON(version, root, []byte(c.In))
	}
	var refused *migrate.Error
	switch {
	case errors.As(err, &refused):
		return "", refused.Code
	case err != nil:
		return "", "failed"
	}
	return string(raw), ""
}

// The types and functions of the cases serve other tests too.
type (
	migrationCase struct{ casetest.Case }
	Thing         = casetest.Thing
	Inner         = casetest.Inner
	Outer         = casetest.Outer
	Deep          = casetest.Deep
	Page          = casetest.Page
	money         = casetest.Money
)

var (
	apiOf      = casetest.APIOf
	basic      = casetest.Basic
	splitSpace = casetest.SplitSpace
	joinSpace  = casetest.JoinSpace
)

// sameJSON compares values: objects without order, numbers byte for byte, names folded
// if the reader folds them.
func sameJSON(a, b []byte, folded bool) bool {
	decode := func(raw []byte) (any, error) {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		value, err := ordered(d)
		if err == nil && d.More() {
			err = errors.New("more than one value")
		}
		return value, err
	}
	x, err := decode(a)
	if err != nil {
		return false
	}
	y, err := decode(b)
	return err == nil && reflect.DeepEqual(canonical(x, folded), canonical(y, folded))
}

// pair is a member. An object is a list of pairs, so that equal names count.
type pair struct {
	name  string
	value any
}

func ordered(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, isDelim := token.(json.Delim)
	if !isDelim {
		return token, nil
	}
	var list []any
	pairs := []pair{}
	for d.More() {
		var p pair
		if delim == '{' {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			p.name = key.(string)
		}
		if p.value, err = ordered(d); err != nil {
			return nil, err
		}
		list, pairs = append(list, p.value), append(pairs, p)
	}
	_, err = d.Token()
	if delim == '{' {
		return pairs, err
	}
	return slices.Concat([]any{"a list"}, list), err
}

func canonical(value any, folded bool) any {
	switch value := value.(type) {
	case []pair:
		for i := range value {
			if folded {
				value[i].name = strings.ToLower(strings.NewReplacer("ſ", "s", "K", "k").Replace(value[i].name))
			}
			value[i].value = canonical(value[i].value, folded)
		}
		slices.SortStableFunc(value, func(a, b pair) int { return strings.Compare(a.name, b.name) })
	case []any:
		for i := range value {
			value[i] = canonical(value[i], folded)
		}
	}
	return value
}
