package mediatype_test

import (
	"fmt"
	"testing"

	"github.com/goverso/verso/core/mediatype"
)

func TestParseWeight(t *testing.T) {
	tests := []struct {
		name, text string
		want       int
	}{
		{"one", "1", 1000},
		{"one with decimals", "1.000", 1000},
		{"above one", "1.5", 1000},
		{"half", "0.5", 500},
		{"no decimals", "0.", 0},
		{"one without decimals", "1.", 1000},
		{"zero", "0", 0},
		{"zeros", "0.000000", 0},
		{"three decimals", "0.123", 123},
		{"the least", "0.001", 1},
		{"more decimals are cut off", "0.1239", 123},
		{"a tiny weight is not none", "0.00000001", 1},
		{"not a number is ignored", "high", 1000},
		{"negative", "-1", 1000},
		{"two", "2", 1000},
		{"empty", "", 1000},
		{"a byte below the digits", "-", 1000},
		{"decimal below the digits", "0./", 1000},
		{"decimal above the digits", "0.0:", 1000},
		{"leading zero", "05", 1000},
		{"leading zeros", "00.5", 1000},
		{"no leading zero", ".5", 1000},
		{"another separator", "0:5", 1000},
		{"two points", "0.5.5", 1000},
		{"trailing text", "0.5x", 1000},
		{"exponent", "0.5e-3", 1000},
		{"quoted", `"0.5"`, 1000},
		{"space", " 0.5", 1000},
		{"byte beyond ASCII", "0.\xb2", 1000},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := mediatype.ParseWeight(test.text); got != test.want {
				t.Errorf("ParseWeight(%q) = %d, want %d", test.text, got, test.want)
			}
		})
	}
	if mediatype.MaxWeight != mediatype.ParseWeight("1") {
		t.Errorf("MaxWeight = %d, not the weight of 1", mediatype.MaxWeight)
	}
}

func ExampleParseWeight() {
	fmt.Println(mediatype.ParseWeight("0.8"), mediatype.ParseWeight("0"), mediatype.ParseWeight("high"))
	// Output: 800 0 1000
}
