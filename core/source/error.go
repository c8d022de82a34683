package source

// Rejection is the response to a request that is rejected.
type Rejection struct {
	Status  int       // HTTP status, 400 to 599
	Message MessageID // the code for programs, and the key of translations
	English string    // the text in English; "": that of Message
}
