package usage

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"
)

// Excepter is a store of exceptions: a [Table], or a store of usagesql.
type Excepter interface {
	Except(ctx context.Context, e Exception) error
	TakeBack(ctx context.Context, e Exception) error
}

// ExceptionHandler returns a handler that records exceptions: mount it for POST, behind your authentication. By
// returns who sends the request. The form has the fields of [Exception], such as
//
//	client=acme&version=v1&route=GET+/health&kind=may_break&until=2027-05-01&note=monitor
//
// and take_back=true removes the exception. The answer is 303 to the page of the client, "usage?client=acme" beside the
// handler; 400 for a wrong field, 403 without a name or for a form on another site, 404 and 409 for
// [ErrNoException] and [ErrManyExceptions], and 503 if the store fails.
//
// It panics if the store or by is nil.
func ExceptionHandler(store Excepter, by func(*http.Request) string) http.Handler {
	if store == nil || by == nil {
		panic(errors.New("usage: ExceptionHandler: the store or the function is nil: give both"))
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
		if err := record(r, store, by(r)); err != nil {
			var refused refusal
			errors.As(err, &refused)
			http.Error(w, err.Error(), cmp.Or(refused.status, http.StatusServiceUnavailable))
			return
		}
		w.Header().Set("Location", "usage?client="+url.QueryEscape(r.PostForm.Get("client")))
		w.WriteHeader(http.StatusSeeOther)
	})
	return http.NewCrossOriginProtection().Handler(handler) // a browser sends credentials for any site
}

const maxFormBytes = 16 << 10

// record records a form.
func record(r *http.Request, store Excepter, by string) error {
	if by == "" {
		return refuse(http.StatusForbidden, "it is not known who you are")
	}
	if err := r.ParseForm(); err != nil {
		return refuse(http.StatusBadRequest, "%w", err)
	}
	e := Exception{By: by}
	back := false
	for key, values := range r.PostForm {
		if len(values) > 1 {
			return refuse(http.StatusBadRequest, "field %q is given %d times: give it once", key, len(values))
		}
		switch value := values[0]; key {
		case "version":
			e.Version = value
		case "client":
			e.Client = value
		case "route":
			e.Route = value
		case "note":
			e.Note = value
		case "kind":
			e.Kind = ExceptionKind(value)
		case "until":
			at, err := time.Parse(time.DateOnly, value)
			if err != nil && value != "" {
				return refuse(http.StatusBadRequest, "until=%q: write a day, such as 2027-05-01", value)
			}
			e.Until = at
		case "take_back":
			if back = value == "true"; !back && value != "false" {
				return refuse(http.StatusBadRequest, "take_back=%q: write true or false", value)
			}
		default:
			return refuse(http.StatusBadRequest, "unknown field %q", key)
		}
	}
	do := store.Except
	if back {
		do = store.TakeBack
	}
	var wrong ExceptionError
	switch err := do(r.Context(), e); {
	case errors.Is(err, ErrNoException):
		return refuse(http.StatusNotFound, "%w", err)
	case errors.Is(err, ErrManyExceptions):
		return refuse(http.StatusConflict, "%w", err)
	case errors.As(err, &wrong):
		return refuse(http.StatusBadRequest, "%w", err)
	default:
		return err
	}
}
