package sources_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
)

func TestHeader(t *testing.T) {
	api := verso.MustNew(verso.Header("API-version"), coretest.List("v1", "v2"))
	const invalid, contradicting = "400 invalid_header_version", "400 contradicting_versions"
	tests := []struct {
		name  string
		lines []string
		want  string
	}{
		{"listed", []string{"v1"}, "= v1"},
		{"not listed", []string{"v9"}, invalid},
		{"in another case", []string{"V1"}, invalid},
		{"white space around it", []string{" \tv1\t "}, "= v1"},
		{"twice the same in lines", []string{"v1", "v1"}, "= v1"},
		{"twice the same in a list", []string{"v1, v1"}, "= v1"},
		{"empty elements", []string{",, v1 ,", "", " , "}, "= v1"},
		{"two in lines", []string{"v1", "v2"}, contradicting},
		{"two in a list", []string{"v1,v2"}, contradicting},
		{"the last of three differs", []string{"v1, v1", ",,v2"}, contradicting},
		{"two that are not listed", []string{"v8,v9"}, contradicting},
		{"empty", []string{""}, invalid},
		{"nothing but commas", []string{" , ,, "}, invalid},
		{"absent", nil, "400 missing_version"},
		{"8 KiB", []string{"v1" + strings.Repeat(",", 8<<10-2)}, "= v1"},
		{"more than 8 KiB", []string{"v1" + strings.Repeat(",", 8<<10-1)}, "400 invalid_version"},
		{"more than 8 KiB in lines", slices.Repeat([]string{"v1"}, 3000), "400 invalid_version"},
		{"1,000 lines", slices.Repeat([]string{"v1"}, 1000), "= v1"},
		{"control bytes", []string{"v1\x00\x7f"}, invalid},
		{"a vertical tab is no white space", []string{"v1\v"}, invalid},
		{"not ASCII", []string{"v\xff"}, invalid},
		{"quotes are the version's", []string{`"v1"`}, invalid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := coretest.Field(test.lines...).Request()
			coretest.Expect(t, api, r, test.want)
			if _, call := coretest.Begin(coretest.Bound(api), r); !slices.Equal(coretest.Varies(call), []string{"Api-Version"}) {
				t.Errorf("Vary = %q", coretest.Varies(call))
			}
		})
	}
}

// The text of a field is ISO-8859-1, as in Accept.
func TestHeaderLatin1(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), coretest.List("v1"))
	_, err := adapter.Bind(api, nil).DetermineVersion(coretest.Field("v\xfc").Request())
	var rejected *verso.Error
	if !errors.As(err, &rejected) || rejected.Requested != "vü" {
		t.Errorf("error %#v", err)
	}
	open := verso.MustNew(verso.Header("Api-Version"), verso.Config{AnyVersion: true})
	coretest.Expect(t, open, coretest.Field("v\xfc", "v\xfc").Request(), "= vü")
}

func TestHeaderDefault(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), coretest.WithDefault("v1", "v2"))
	for _, test := range []struct {
		lines []string
		want  string
	}{{nil, "= v1"}, {[]string{""}, "400 invalid_header_version"}, {[]string{"v2"}, "= v2"}} {
		coretest.Expect(t, api, coretest.Field(test.lines...).Request(), test.want, test.lines)
	}
}
