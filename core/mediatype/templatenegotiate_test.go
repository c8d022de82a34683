package mediatype_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goverso/verso/core/mediatype"
)

// ranked lists versions, the most preferred first.
type ranked struct {
	ranks   map[string]int // by the version in lower case
	longest int
}

// The pointer implements the interface, so that passing it allocates nothing.
var _ mediatype.Versions = (*ranked)(nil)

func rankedVersions(versions []string) *ranked {
	v := &ranked{ranks: make(map[string]int)}
	for i, version := range versions {
		v.ranks[asciiLower(version)] = i
		v.longest = max(v.longest, len(version))
	}
	return v
}

func (v *ranked) Len() int { return len(v.ranks) }

func (v *ranked) Rank(version string) (rank int, ok bool) {
	if len(version) > v.longest {
		return 0, false
	}
	var buffer [32]byte // avoids an allocation for the map lookup
	lowered := buffer[:0]
	for _, c := range []byte(version) {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lowered = append(lowered, c)
	}
	rank, ok = v.ranks[string(lowered)]
	return rank, ok
}

const (
	acme         = "application/vnd.acme.{version}+json"
	acmeResource = "application/vnd.acme.{resource}-{version}+json"
)

func TestTemplateNegotiate(t *testing.T) {
	const (
		unnamed       = "(unnamed)"
		notAcceptable = "(not acceptable)"
	)
	var (
		v321 = []string{"v3", "v2", "v1"}
		json = []string{"application/json"}
	)
	tests := []struct {
		name           string
		template       string
		versions       []string // the newest first
		defaultVersion string
		produces       []string
		accept         string
		want           string
	}{
		// The cases of media_type, by their names.
		{"plain-json-produced", acme, v321, "v1", json, "application/json", unnamed},
		{"plain-json-not-produced", acme, v321, "v1", nil, "application/json", unnamed},
		{"unknown-version", acme, v321, "v1", nil, "application/vnd.acme.v9+json", notAcceptable},
		{"unknown-then-known", acme, v321, "v1", nil, "application/vnd.acme.v9+json, application/vnd.acme.v2+json;q=0.5", "v2"},
		{"list-equal", acme, v321, "v1", nil, "application/vnd.acme.v3+json, application/vnd.acme.v2+json", "v3"},
		{"list-by-q", acme, v321, "v1", nil, "application/vnd.acme.v3+json;q=0.2, application/vnd.acme.v2+json;q=0.8", "v2"},
		{"q-zero", acme, v321, "v1", nil, "application/vnd.acme.v3+json;q=0, application/vnd.acme.v2+json;q=0.2", "v2"},
		{"q-zero-alone", acme, v321, "v1", nil, "application/vnd.acme.v3+json;q=0", notAcceptable},
		{"specific-before-wildcard", acme, v321, "v1", nil, "*/*, application/vnd.acme.v2+json", "v2"},
		{"wildcard-with-higher-q", acme, v321, "v1", nil, "application/vnd.acme.v2+json;q=0.1, */*;q=0.9", unnamed},
		{"signed-exchange", acme, v321, "v1", nil, "text/html,application/xhtml+xml,image/webp,*/*;q=0.8,application/signed-exchange;v=b3;q=0.9", unnamed},
		{"upper-case", acme, v321, "v1", nil, "Application/VND.ACME.V3+JSON", "v3"},
		{"with-charset", acme, v321, "v1", nil, "application/vnd.acme.v3+json; charset=utf-8", "v3"},
		{"required", acme, v321, "", nil, "*/*", unnamed},
		{"prefix-only", acme, v321, "v1", nil, "application/vnd.acme.v3+json-seq", unnamed},
		{"suffix-missing", acme, v321, "v1", nil, "application/vnd.acme.v3", unnamed},
		{"template-number", "application/vnd-v{version}+json", []string{"2.1", "2"}, "", nil, "application/vnd-v2.1+json", "2.1"},
		{"template-other-type", "application/vnd-v{version}+json", []string{"1"}, "1", nil, "text/plain", unnamed},
		{"resource-with-hyphen", acmeResource, v321, "", nil, "application/vnd.acme.order-item-v3+json", "v3"},
		{"resource-empty", acmeResource, v321, "", nil, "application/vnd.acme.-v3+json", notAcceptable},
		{"head", acme, v321, "v1", nil, "application/vnd.acme.v3+json", "v3"},
		{"unreleased", acme, []string{"v1"}, "v1", nil, "application/vnd.acme.v2+json", notAcceptable},
		{"known-before-plain", acme, v321, "v1", json, "application/json, application/vnd.acme.v2+json", "v2"},

		{"absent", acme, v321, "v1", nil, "", unnamed},
		{"absent, no default", acme, v321, "", json, "", unnamed},
		{"white space and commas only", acme, v321, "v1", nil, " ,\t,", unnamed},
		{"garbage", acme, v321, "v1", nil, "garbage", unnamed},
		{"garbage next to plain types", acme, v321, "v1", json, "garbage", unnamed},
		{"garbage next to a version", acme, v321, "v1", json, "garbage, application/vnd.acme.v2+json", "v2"},
		{"any subtype", acme, v321, "v1", nil, "application/*", unnamed},
		{"any subtype of another type", acme, v321, "v1", nil, "text/*", unnamed},
		{"wildcard refused", acme, v321, "v1", json, "*/*;q=0", unnamed},
		{"wildcard refused except for a version", acme, v321, "v1", nil, "*/*;q=0, application/vnd.acme.v2+json;q=0.1", "v2"},
		{"wildcard with parameters", acme, v321, "v1", nil, "*/*;version=v2", unnamed},

		{"type only", acme, v321, "v1", nil, "text/vnd.acme.v3+json", unnamed},
		{"other literal in front", acme, v321, "v1", nil, "application/vnd.acne.v3+json", unnamed},
		{"other literal after", acme, v321, "v1", nil, "application/vnd.acme.v3+jsox", unnamed},
		{"more in front", acme, v321, "v1", nil, "application/x-vnd.acme.v3+json", unnamed},
		{"no version", acme, v321, "v1", nil, "application/vnd.acme.+json", notAcceptable},
		{"literals overlap", "a/xx{version}xx", v321, "v1", nil, "a/xxx", unnamed},
		{"version in upper case", acme, []string{"V3"}, "V3", nil, "application/vnd.acme.v3+json", "V3"},
		{"version only", "application/{version}", v321, "v1", nil, "application/v3", "v3"},
		{"version with the literal in it", "a/{version}-1", []string{"1-1", "1"}, "", nil, "a/1-1-1", "1-1"},
		{"parameter of a browser", acme, v321, "v1", nil, "application/vnd.acme.v3+json;v=b3", "v3"},

		{"the same version twice: higher q", acme, v321, "v1", nil, "application/vnd.acme.v3+json;q=0.1, application/vnd.acme.v2+json;q=0.5, application/vnd.acme.v3+json;q=0.6", "v3"},
		{"the same version twice: parameters count", acme, v321, "v1", nil, "application/vnd.acme.v3+json, application/vnd.acme.v2+json;q=0.5, application/vnd.acme.v3+json;x=1;q=0.1", "v2"},
		{"the same version twice: parameters refuse", acme, v321, "v1", nil, "application/vnd.acme.v3+json, application/vnd.acme.v3+json;x=1;q=0", notAcceptable},
		{"the same version twice: higher q first", acme, v321, "v1", nil, "application/vnd.acme.v3+json;q=0.6, application/vnd.acme.v2+json;q=0.5, application/vnd.acme.v3+json;q=0.1", "v3"},
		{"equal q: more specific", acme, v321, "v1", nil, "application/vnd.acme.v3+json, application/vnd.acme.v1+json;x=1", "v1"},
		{"repeated q: the last", acme, v321, "v1", nil, "application/vnd.acme.v3+json;q=1;q=0.1, application/vnd.acme.v2+json;q=0.5", "v2"},
		{"quoted q is not a q", acme, v321, "v1", nil, `application/vnd.acme.v2+json;q="0", application/vnd.acme.v1+json;q=0.9`, "v2"},
		{"type/* overrides */*", acme, v321, "v1", nil, "application/*;q=0.1, */*, application/vnd.acme.v2+json;q=0.5", "v2"},
		{"*/* after type/*", acme, v321, "v1", nil, "*/*, application/*;q=0", unnamed},

		{"default excluded", acme, v321, "v1", nil, "*/*, application/vnd.acme.v1+json;q=0", notAcceptable},
		{"default excluded, in another order", acme, v321, "v1", nil, "application/vnd.acme.v1+json;q=0, */*", notAcceptable},
		{"default excluded, any subtype", acme, v321, "v1", nil, "application/*, application/vnd.acme.v1+json;q=0", notAcceptable},
		{"default excluded, the newest", acme, v321, "v3", nil, "*/*, application/vnd.acme.v3+json;q=0", notAcceptable},
		{"default excluded by parameters", acme, v321, "v1", nil, "*/*, application/vnd.acme.v1+json, application/vnd.acme.v1+json;x=1;q=0", notAcceptable},
		{"default excluded, another version named", acme, v321, "v1", nil, "*/*;q=0.5, application/vnd.acme.v1+json;q=0, application/vnd.acme.v2+json", "v2"},
		{"default excluded, another version named with a lower q", acme, v321, "v1", nil, "*/*, application/vnd.acme.v1+json;q=0, application/vnd.acme.v2+json;q=0.5", notAcceptable},
		{"default excluded, all others named", acme, []string{"v2", "v1"}, "v1", nil, "*/*, application/vnd.acme.v1+json;q=0, application/vnd.acme.v2+json;q=0.5", "v2"},
		{"default excluded, plain type named", acme, v321, "v1", json, "application/json, application/vnd.acme.v1+json;q=0", unnamed},
		{"default excluded, plain type by wildcard", acme, v321, "v1", json, "*/*, application/vnd.acme.v1+json;q=0", notAcceptable},
		{"default excluded, plain type of another type", acme, v321, "v1", []string{"text/csv"}, "text/*, application/vnd.acme.v1+json;q=0", unnamed},
		{"another version excluded", acme, v321, "v1", nil, "*/*, application/vnd.acme.v3+json;q=0", unnamed},
		{"no default, one excluded", acme, v321, "", nil, "*/*, application/vnd.acme.v1+json;q=0", unnamed},
		{"no default, all excluded", acme, []string{"v1"}, "", nil, "*/*, application/vnd.acme.v1+json;q=0", notAcceptable},
		{"default named with the lowest q", acme, v321, "v1", nil, "*/*, application/vnd.acme.v1+json;q=0.001", unnamed},
		{"default by a wildcard with the lowest q", acme, v321, "v1", nil, "*/*;q=0.001", unnamed},

		{"plain type with a higher q", acme, v321, "v1", json, "application/json, application/vnd.acme.v2+json;q=0.9", unnamed},
		{"plain type with the lowest q", acme, v321, "v1", json, "application/json;q=0.001", unnamed},
		{"plain type by wildcard", acme, v321, "v1", []string{"text/csv"}, "text/*, application/vnd.acme.v2+json;q=0.9", unnamed},
		{"plain type with parameters", acme, v321, "v1", []string{"application/json;x=1"}, "application/json;x=1, application/vnd.acme.v2+json", unnamed},
		{"plain type with other parameters", acme, v321, "v1", []string{"application/json;x=1"}, "application/json;x=2", unnamed},
		{"plain type refused", acme, v321, "v1", json, "application/json;q=0", unnamed},
		{"plain type refused, version named", acme, v321, "v1", json, "application/json;q=0, application/vnd.acme.v2+json", "v2"},
		{"plain type that is a version's", acme, v321, "v1", []string{"application/vnd.acme.v2+json"}, "application/vnd.acme.v2+json", "v2"},
		{"plain types, more than four", acme, v321, "v1", []string{"a/1", "a/2", "a/3", "a/4", "a/5"}, "a/5", unnamed},

		{"longest version", acmeResource, []string{"11", "1"}, "", nil, "application/vnd.acme.x-11+json", "11"},
		{"shorter version", acmeResource, []string{"11", "1"}, "", nil, "application/vnd.acme.x-1+json", "1"},
		{"longest version, which Check refuses", acmeResource, []string{"v1", "beta-v1"}, "", nil, "application/vnd.acme.x-beta-v1+json", "beta-v1"},
		{"the resource is not empty, a shorter version", acmeResource, []string{"v1", "beta-v1"}, "", nil, "application/vnd.acme.beta-v1+json", "v1"},
		{"resource that looks like a version", acmeResource, v321, "", nil, "application/vnd.acme.v1-v2+json", "v2"},
		{"unknown version after a known one", acmeResource, v321, "", nil, "application/vnd.acme.x-v1-v9+json", notAcceptable},
		{"resource is one separator", acmeResource, v321, "", nil, "application/vnd.acme.--v3+json", "v3"},
		{"resource, no separator", acmeResource, v321, "", nil, "application/vnd.acme.orderv3+json", unnamed},
		{"resource, no version", acmeResource, v321, "", nil, "application/vnd.acme.order-+json", notAcceptable},
		{"separator of a letter, in another case", "a/{resource}X{version}", v321, "", nil, "a/orderxV3", "v3"},
		{"several resources", acmeResource, v321, "v1", nil, "application/vnd.acme.order-v3+json;q=0, application/vnd.acme.user-v3+json;q=0.5", "v3"},
		{"resource excludes the default", acmeResource, v321, "v1", nil, "*/*, application/vnd.acme.order-v1+json;q=0", notAcceptable},
		{"longest subtype", acmeResource, v321, "v1", nil, "application/vnd.acme." + strings.Repeat("x", 110) + "-v3+json", "v3"},
		{"subtype too long", acmeResource, v321, "v1", nil, "application/vnd.acme." + strings.Repeat("x", 111) + "-v3+json", notAcceptable},

		{"any type of a version's subtype", acme, v321, "v1", nil, "*/vnd.acme.v1+json", unnamed},
		{"any type of a version's subtype, no default", acme, v321, "", nil, "*/vnd.acme.v1+json", unnamed},
		{"any type of another version's subtype", acme, v321, "v1", nil, "*/vnd.acme.v2+json", unnamed},
		{"any type of a subtype next to a wildcard", acme, v321, "v1", nil, "*/vnd.acme.v1+json;q=0, */*;q=0.5", unnamed},

		{"no versions", acme, nil, "", nil, "*/*", unnamed},
		{"no versions, one named", acme, nil, "", nil, "*/*, application/vnd.acme.v1+json;q=0", notAcceptable},

		{"unknown version next to a type that is not produced", acme, v321, "v1", nil, "application/vnd.acme.v9+json, text/csv", notAcceptable},
		{"unknown version next to a plain type", acme, v321, "v1", json, "application/vnd.acme.v9+json, application/json;q=0.5", unnamed},
		{"unknown version next to a plain type with other parameters", acme, v321, "v1", []string{"application/json;x=1"}, "application/json;x=2, application/vnd.acme.v9+json", notAcceptable},
		{"unknown version next to a plain type that is refused", acme, v321, "v1", json, "application/json;q=0, application/vnd.acme.v9+json", notAcceptable},
		{"unknown version next to a wildcard that is refused", acme, v321, "v1", json, "*/*;q=0, application/vnd.acme.v9+json", notAcceptable},
		{"unknown version that is refused", acme, v321, "v1", nil, "text/csv, application/vnd.acme.v9+json;q=0", notAcceptable},
		{"unknown version in upper case", acme, v321, "v1", nil, "APPLICATION/VND.ACME.V9+JSON", notAcceptable},
		{"unknown version in quotes", acme, v321, "v1", nil, `text/html;note="a, application/vnd.acme.v9+json, b"`, unnamed},
		{"*/* after type/*, next to a version", acme, v321, "v1", nil, "*/*, application/*;q=0, application/vnd.acme.v9+json", notAcceptable},
		{"no version and no resource", acmeResource, v321, "v1", nil, "application/vnd.acme.-+json", notAcceptable},
		{"subtype too long, which is one of the template", acme, v321, "v1", nil, "application/vnd.acme." + strings.Repeat("x", 200) + "+json", notAcceptable},
		{"any subtype where every subtype is a version", "application/{version}", v321, "v1", nil, "application/*", unnamed},
		{"any type where every subtype is a version", "application/{version}", v321, "v1", nil, "application/json", notAcceptable},
		{"no versions, plain type", acme, nil, "", json, "*/*", unnamed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			produced, err := mediatype.NewNegotiator(test.produces...)
			if err != nil {
				t.Fatal(err)
			}
			fallback := slices.Index(test.versions, test.defaultVersion)
			rank, outcome := mustParseTemplate(t, test.template).Negotiate(test.accept, rankedVersions(test.versions), produced, fallback)
			got := ""
			switch outcome {
			case mediatype.Named:
				got = test.versions[rank]
			case mediatype.Unnamed:
				got = unnamed
			case mediatype.NotAcceptable:
				got = notAcceptable
			}
			if got != test.want {
				t.Errorf("Negotiate(%q) = %s, want %s", test.accept, got, test.want)
			}
			if outcome != mediatype.Named && rank != -1 {
				t.Errorf("rank = %d", rank)
			}
			checkTemplate(t, test.template, test.versions, test.produces, test.accept, fallback)
		})
	}
}

func TestTemplateNegotiateBounds(t *testing.T) {
	const wanted = "application/vnd.acme.v3+json"
	padded := func(size int) string { return wanted + strings.Repeat(" ", size-len(wanted)) }
	tests := []struct {
		name   string
		accept string
		want   mediatype.Outcome
	}{
		{"MaxBytes", padded(mediatype.MaxBytes), mediatype.Named},
		{"one byte more", padded(mediatype.MaxBytes + 1), mediatype.NotAcceptable},
		{"commas only, too long", strings.Repeat(",", mediatype.MaxBytes+1), mediatype.NotAcceptable},
		{"MaxRanges", strings.Repeat("a/b,", mediatype.MaxRanges-1) + wanted, mediatype.Named},
		{"one range more after", wanted + strings.Repeat(",a/b", mediatype.MaxRanges), mediatype.NotAcceptable},
		{"one range more before", strings.Repeat("a/b,", mediatype.MaxRanges) + wanted, mediatype.NotAcceptable},
	}
	template, versions := mustParseTemplate(t, acme), rankedVersions([]string{"v3"})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, outcome := template.Negotiate(test.accept, versions, nil, -1); outcome != test.want {
				t.Errorf("Negotiate = %v, want %v", outcome, test.want)
			}
		})
	}
}

func TestOutcomeString(t *testing.T) {
	for outcome, want := range map[mediatype.Outcome]string{
		mediatype.NotAcceptable: "NotAcceptable",
		mediatype.Unnamed:       "Unnamed",
		mediatype.Named:         "Named",
		3:                       "Outcome(?)",
	} {
		if got := outcome.String(); got != want {
			t.Errorf("%d: %s, want %s", outcome, got, want)
		}
	}
}

// eightOfThem names eight versions.
var eightOfThem = func() string {
	var all []string
	for i := range 8 {
		all = append(all, fmt.Sprintf("application/vnd.acme.v%d+json;q=0.%d", i+1, i+1))
	}
	return strings.Join(all, ", ")
}()

func TestTemplateNegotiateAllocs(t *testing.T) {
	tests := []struct {
		name, template, accept string
		produces               []string
	}{
		{"absent", acme, "", nil},
		{"one range", acme, "application/vnd.acme.v3+json", nil},
		{"upper case", acme, "Application/VND.ACME.V3+JSON;q=0.5", nil},
		{"resource", acmeResource, "application/vnd.acme.order-item-v3+json", nil},
		{"a browser", acme, browser, []string{"application/json", "text/csv"}},
		{"eight versions", acme, eightOfThem + ", */*;q=0.1", []string{"application/json"}},
		{"many ranges", acme, strings.Repeat("application/vnd.acme.v3+json,", mediatype.MaxRanges), []string{"a/1", "a/2", "a/3", "a/4;x=1"}},
		{"another media type", acme, "image/png", nil},
		{"not acceptable", acme, "application/vnd.acme.v9+json", nil},
	}
	versions := rankedVersions([]string{"v8", "v7", "v6", "v5", "v4", "v3", "v2", "v1"})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			template := mustParseTemplate(t, test.template)
			produced, err := mediatype.NewNegotiator(test.produces...)
			if err != nil {
				t.Fatal(err)
			}
			if got := testing.AllocsPerRun(100, func() { template.Negotiate(test.accept, versions, produced, 7) }); got != 0 {
				t.Errorf("Negotiate allocates %v times, want 0", got)
			}
		})
	}
}

func BenchmarkTemplateNegotiate(b *testing.B) {
	const short = "a/{resource}-{version}"
	benchmarks := []struct {
		name, template, accept string
		produces               []string
	}{
		{"absent", acme, "", nil},
		{"one range", acme, "application/vnd.acme.v3+json", nil},
		{"one range, resource", acmeResource, "application/vnd.acme.order-v3+json", nil},
		{"one range, plain type produced", acme, "application/vnd.acme.v3+json", []string{"application/json"}},
		{"browser", acme, browser, []string{"application/json"}},
		{"eight versions", acme, eightOfThem, nil},
		{"8 KiB of separators", acmeResource, "application/vnd.acme." + strings.Repeat("-", mediatype.MaxBytes-30) + "v3", nil},
		{"8 KiB of ranges of separators", short, strings.Repeat("a/"+strings.Repeat("-", 61)+",", mediatype.MaxRanges), nil},
		{"8 KiB of ranges of versions", short, strings.Repeat("a/"+strings.Repeat("-v", 30)+"9,", mediatype.MaxRanges), nil},
		{"8 KiB of separators in longest subtypes", short, strings.Repeat("a/"+strings.Repeat("-", 127)+",", 63), nil},
		{"8 KiB of q", acme, "application/vnd.acme.v3+json" + strings.Repeat(";q=1", 2000), nil},
	}
	versions := rankedVersions([]string{"v8", "v7", "v6", "v5", "v4", "v3", "v2", "v1", "2026-01-01-preview"})
	for _, benchmark := range benchmarks {
		b.Run(benchmark.name, func(b *testing.B) {
			template := mustParseTemplate(b, benchmark.template)
			produced, err := mediatype.NewNegotiator(benchmark.produces...)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				template.Negotiate(benchmark.accept, versions, produced, 7)
			}
		})
	}
}

// Negotiate follows the rules in its comment.
func FuzzTemplateNegotiate(f *testing.F) {
	f.Add(acme, "v3,v2,v1", "application/json", "application/vnd.acme.v9+json, application/vnd.acme.v2+json;q=0.5", 2)
	f.Add(acme, "v3,v2,v1", "", "*/*, application/vnd.acme.v1+json;q=0", 2)
	f.Add(acmeResource, "11,1", "text/csv|text/plain", "application/vnd.acme.x-11+json, text/*;q=0.5", -1)
	f.Add("a/{resource}X{version}", "v1,betaxv1", "", "A/zXbetaXV1;v=1, a/xXV1", 0)
	f.Add("a/{version}", "*,v1", "*/*", "a/*, */v1;q=0, b/v1", 1)
	f.Add("a/{version}", "json", "a/json;v=1|a/json", "a/json;v=1", 0)
	f.Add(acme, "v3", "", strings.Repeat("x,", mediatype.MaxRanges)+"*/*", 0)
	f.Add(acmeResource, "v3", "", strings.Repeat("-", mediatype.MaxBytes)+"*/*", 0)
	f.Fuzz(func(t *testing.T, template, versionsText, producesText, accept string, fallback int) {
		var produces []string
		if producesText != "" {
			produces = strings.Split(producesText, "|")
		}
		checkTemplate(t, template, strings.Split(versionsText, ","), produces, accept, fallback)
	})
}

// The same with headers built from meaningful pieces: each byte selects one of
// them.
func FuzzTemplateNegotiatePieces(f *testing.F) {
	templates := []string{acme, acmeResource, "a/{version}", "a/{resource}--{version}", "a/v{version}", "application/{version}+json"}
	versions := [][]string{
		{"v3", "v2", "v1"},
		{"11", "1"},
		{"1", "-1", "v1"},
		{"v1", "beta-v1", "v2"},
		{"V1"},
		nil,
		{"v1", "v2", "v3", "1", "2", "3", "11", "12", "13", "21", "22", "23"},
	}
	produces := [][]string{nil, {"application/json"}, {"text/csv", "a/b;x=1"}, {"application/*"}, {"a/v1"}, {"a/1", "a/2", "a/3", "a/4", "a/5"}}
	pieces := []string{
		"application/", "application/vnd.acme.", "APPLICATION/vnd.ACME.", "a/", "a/", "*/", "text/", "vnd.acme.",
		"order", "-", "-", "--", "v", "V", "1", "1", "2", "3", "11", "12", "v1", "v2", "v3", "beta", "9", "+json", "+json", "+JSON",
		"*/*", "application/*", "a/*", "text/*", "application/json", "text/csv", "a/b", "csv", "*", "b",
		",", ",", ",", ", ", ";q=0", ";q=0", ";q=0.5", ";q=0.5", ";q=0.9", ";q=1", ";x=1", ";x=2", ";", " ", `"`, "é",
	}
	piece := func(names ...string) (indices []byte) {
		for _, name := range names {
			indices = append(indices, byte(slices.Index(pieces, name)))
		}
		return indices
	}
	f.Add(byte(0), byte(0), byte(1), 2, piece("application/vnd.acme.", "v2", "+json", ";q=0.5", ",", "*/*", ";q=0.9"))
	f.Add(byte(0), byte(0), byte(0), 2, piece("application/vnd.acme.", "v1", "+json", ";q=0", ",", "application/*"))
	f.Add(byte(1), byte(3), byte(1), 0, piece("application/vnd.acme.", "order", "-", "beta", "-", "v1", "+json", ",", "application/json"))
	f.Add(byte(3), byte(2), byte(2), 0, piece("a/", "order", "--", "-", "1", ",", "a/b", ";x=1", ";q=0.5", ",", "text/*"))
	f.Add(byte(4), byte(6), byte(4), 11, piece("a/", "v1", ",", "a/", "v2", ",", "a/", "v3", ",", "a/", "v1", "1", ",", "*/", "v", "12", ";q=0.5"))
	f.Add(byte(2), byte(0), byte(5), -1, piece("a/", "v1", ";q=0.5", ",", "a/", "v1", ";x=1", ";q=0", ",", "a/*", ",", "a/", "2"))
	f.Fuzz(func(t *testing.T, template, versionList, producesList byte, fallback int, indices []byte) {
		var accept strings.Builder
		for _, i := range indices {
			accept.WriteString(pieces[int(i)%len(pieces)])
		}
		checkTemplate(t, templates[int(template)%len(templates)], versions[int(versionList)%len(versions)],
			produces[int(producesList)%len(produces)], accept.String(), fallback)
	})
}

// checkTemplate compares Negotiate with the slow implementation. It skips versions
// that Check refuses for other reasons than their ends.
func checkTemplate(t *testing.T, templateText string, versions, produces []string, accept string, fallback int) {
	t.Helper()
	template, err := mediatype.ParseTemplate(templateText)
	if err != nil {
		return
	}
	produced, err := mediatype.NewNegotiator(produces...)
	if err != nil {
		return
	}
	var known []string
	for _, version := range versions {
		isSame := func(other string) bool { return asciiLower(other) == asciiLower(version) }
		if template.Check([]string{version}) == nil && !slices.ContainsFunc(known, isSame) {
			known = append(known, version)
		}
	}
	fallback = max(-1, min(fallback, len(known)-1))
	rank, outcome := template.Negotiate(accept, rankedVersions(known), produced, fallback)
	wantRank, wantOutcome := newSlowTemplate(templateText, known).negotiate(accept, produces, fallback)
	if rank != wantRank || outcome != wantOutcome {
		t.Errorf("%q with %q, %q and %q, default %d: got %d, %v, want %d, %v",
			accept, templateText, known, produces, fallback, rank, outcome, wantRank, wantOutcome)
	}
}

// slowTemplateRule implements Negotiate slowly, sharing no code with the fast
// implementation. It expands the versions into types.
type slowTemplateRule struct {
	all      *regexp.Regexp // the subtypes of all versions, known or not
	typ      string
	subtypes []*regexp.Regexp // for each version its types
	lengths  []int            // of the versions
}

func newSlowTemplate(text string, versions []string) (rule slowTemplateRule) {
	match := slowTemplate.FindStringSubmatch(text)
	rule.typ = asciiLower(match[1])
	before, resource, separator, after := match[2], match[3], match[4], match[5]
	anyResource := ""
	if resource != "" {
		resource, anyResource = ".+", ".*"
	}
	rule.all = regexp.MustCompile("(?i)^" + regexp.QuoteMeta(before) + anyResource + regexp.QuoteMeta(separator) + ".*" + regexp.QuoteMeta(after) + "$")
	for _, version := range versions {
		rule.subtypes = append(rule.subtypes, regexp.MustCompile("(?i)^"+regexp.QuoteMeta(before)+resource+
			regexp.QuoteMeta(separator)+regexp.QuoteMeta(version)+regexp.QuoteMeta(after)+"$"))
		rule.lengths = append(rule.lengths, len(version))
	}
	return rule
}

// versionOf returns the longest version that a subtype is a type of, or -1.
func (rule slowTemplateRule) versionOf(subtype string) (version int) {
	version = -1
	for i, pattern := range rule.subtypes {
		if len(subtype) <= 127 && pattern.MatchString(subtype) && (version < 0 || rule.lengths[i] > rule.lengths[version]) {
			version = i
		}
	}
	return version
}

func (rule slowTemplateRule) negotiate(accept string, produces []string, fallback int) (rank int, outcome mediatype.Outcome) {
	ranges, empty, withinBounds := slowRanges(accept)
	if !withinBounds {
		return -1, mediatype.NotAcceptable
	}
	if empty || !slices.ContainsFunc(ranges, func(r slowRange) bool {
		return r.typ == rule.typ && r.subtype != "*" && rule.all.MatchString(r.subtype)
	}) {
		return -1, mediatype.Unnamed
	}

	type candidate struct {
		slowRange
		version int // -1: a plain type
	}
	var candidates []candidate
	acceptable := make(map[int]bool)
	for version := range rule.subtypes {
		r, ok := slowApplicable(ranges, func(r slowRange) bool {
			return (r.typ == "*" || r.typ == rule.typ) && (r.subtype == "*" || rule.versionOf(r.subtype) == version)
		})
		if ok && r.thousandths > 0 {
			candidates = append(candidates, candidate{r, version})
			acceptable[version] = true
		}
	}
	plain, _ := newSlowNegotiator(produces)
	for _, produced := range plain {
		r, ok := slowApplicable(ranges, func(r slowRange) bool { return slowMatch(r, produced) })
		if ok && r.thousandths > 0 {
			candidates = append(candidates, candidate{r, -1})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return slowByWeight(a.slowRange, b.slowRange) })

	switch {
	case len(candidates) == 0:
		return -1, mediatype.NotAcceptable
	case candidates[0].version < 0:
		return -1, mediatype.Unnamed
	case candidates[0].rank >= 2:
		return candidates[0].version, mediatype.Named
	case fallback >= 0 && !acceptable[fallback]:
		return -1, mediatype.NotAcceptable
	default:
		return -1, mediatype.Unnamed
	}
}
