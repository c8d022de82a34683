package mediatype

// MaxWeight is the weight of an element without q.
const MaxWeight = 1000

// ParseWeight returns a qvalue (RFC 9110, section 12.4.2) in thousandths, from 0 to
// [MaxWeight]. It ignores decimals after the third, but never rounds a weight down to 0.
// For a string that is not a qvalue, such as a quoted number, it returns [MaxWeight],
// like for an element without q.
func ParseWeight(value string) int {
	if value == "" || value[0] != '0' && value[0] != '1' || len(value) > 1 && value[1] != '.' {
		return MaxWeight
	}
	weight, unit := int(value[0]-'0')*MaxWeight, MaxWeight/10
	for i := 2; i < len(value); i++ {
		digit := int(value[i]) - '0'
		if digit < 0 || digit > 9 {
			return MaxWeight
		}
		weight += digit * unit
		if unit == 0 && digit > 0 && weight == 0 {
			weight = 1
		}
		unit /= 10
	}
	return min(weight, MaxWeight)
}
