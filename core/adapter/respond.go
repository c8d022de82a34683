package adapter

import (
	"net/http"

	verso "github.com/goverso/verso/core"
)

// Respond answers a rejected request of a framework over net/http: by the error handler of a
// service, and by the answer itself if handle is nil or writes nothing, or if rejected is nil,
// which is what [verso.Answer.Rejected] returns for an error of a rewriter. The Vary and
// Content-Language fields of the answer are set before handle is called.
func Respond(w http.ResponseWriter, r *http.Request, rejected *verso.Error, answer *verso.Answer,
	handle func(w http.ResponseWriter, r *http.Request, rejected *verso.Error, answer *verso.Answer),
) {
	if handle != nil && rejected != nil {
		answer.SetFields(w.Header())
		response := &response{ResponseWriter: w, status: answer.Problem.Status}
		handle(response, r, rejected, answer)
		if response.begun {
			return
		}
	}
	answer.ServeHTTP(w, r)
}

// response notes whether an error handler writes: net/http sends an empty 200
// for one that does not.
type response struct {
	http.ResponseWriter
	begun  bool
	status int // of a body without a status: never 200
}

// Unwrap is for [http.ResponseController].
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *response) WriteHeader(status int) {
	r.begun = r.begun || status >= http.StatusOK // any other status is interim
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(data []byte) (int, error) {
	if !r.begun {
		r.WriteHeader(r.status)
	}
	return r.ResponseWriter.Write(data)
}

// ResetEncoding gives a header the Content-Encoding that it had in front of a route that rewrites,
// set by compression outside. An adapter calls it before it answers the failure of a
// [verso.Rewriting]: compression inside, which made the rewriting fail, does not encode the answer.
func ResetEncoding(h http.Header, outside string) {
	if outside == "" {
		h.Del("Content-Encoding")
	} else {
		h.Set("Content-Encoding", outside)
	}
}
