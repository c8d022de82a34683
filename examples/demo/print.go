package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/goverso/verso/examples/api"
)

func printRequest(out *strings.Builder, request *http.Request) {
	fmt.Fprintf(out, "  %s\n", describe(request))
}

// describe returns the request line and the headers that a scheme may read.
func describe(request *http.Request) string {
	text := fmt.Sprintf("%s %s  Host: %s", request.Method, request.URL.RequestURI(), request.Host)
	if accept := request.Header.Get("Accept"); accept != "" {
		text += "  Accept: " + accept
	}
	return text
}

// printAnswers prints an answer that all frameworks gave once, else each.
func printAnswers(out *strings.Builder, frameworks []framework, answers []answer, showLinks bool) error {
	if len(slices.Compact(slices.Clone(answers))) == 1 {
		return answers[0].print(out, nameAll(frameworks, " = "), showLinks)
	}
	for i, f := range frameworks {
		if err := answers[i].print(out, f.name, showLinks); err != nil {
			return err
		}
	}
	return nil
}

func nameAll(frameworks []framework, separator string) string {
	names := make([]string, len(frameworks))
	for i, f := range frameworks {
		names[i] = f.name
	}
	return strings.Join(names, separator)
}

func (a answer) print(out *strings.Builder, from string, showLinks bool) error {
	fmt.Fprintf(out, "    %-12s%d", from, a.status)
	var page api.Page[api.User]
	if a.status == http.StatusOK {
		if err := json.Unmarshal([]byte(a.body), &page); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
		fmt.Fprintf(out, "  version %s", page.Version)
	}
	if a.vary != "" {
		fmt.Fprintf(out, "  Vary: %s", a.vary)
	}
	fmt.Fprintln(out)
	switch {
	case a.status != http.StatusOK:
		printDetail(out, a.body)
	case showLinks:
		printDetail(out, "self     "+page.Self)
		printDetail(out, "prev     "+page.Prev)
		printDetail(out, "next     "+page.Next)
		for _, version := range slices.Sorted(maps.Keys(page.OtherVersions)) {
			printDetail(out, fmt.Sprintf("in %-6s%s", version, page.OtherVersions[version]))
		}
	}
	return nil
}

func printDetail(out *strings.Builder, text string) {
	fmt.Fprintf(out, "                %s\n", text)
}
