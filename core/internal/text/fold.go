package text

// EqualFold reports whether a and b are equal, ignoring the case of ASCII letters.
// [strings.EqualFold] also folds other letters, such as K and the Kelvin sign.
func EqualFold(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && Lower(a[i]) != Lower(b[i]) {
			return false
		}
	}
	return true
}

// Lower returns an ASCII letter in lower case, and any other byte unchanged.
func Lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// HasUpper reports whether s has a capital letter of ASCII.
func HasUpper(s string) bool {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return true
		}
	}
	return false
}

// AppendLower appends s in lower case to dst.
func AppendLower(dst []byte, s string) []byte {
	for i := range len(s) {
		dst = append(dst, Lower(s[i]))
	}
	return dst
}
