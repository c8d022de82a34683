// Package mistakes makes each mistake of docs/mistakes.md, in Echo and in Gin, and
// looks for what the page says that one sees.
package mistakes
