// Drafted from published documents, to be edited; sha256 592c8ecc97fa3df66b85985850cefc6e2ded7519a3607feed8fe444a4ef0e885

package api

// Admin is the schema Admin.
type Admin struct {
	FullTitle string `json:"full_title,omitempty"`
}

// Guest is the schema Guest.
type Guest struct {
	FullName string `json:"full_name,omitempty"`
}

// User is the schema User.
type User struct {
	ID string `json:"id,omitempty"`
}

// UserLeafOfV1 is the schema of User leaf of v1.
type UserLeafOfV1 struct {
	Kind string `json:"kind,omitempty"`
}
