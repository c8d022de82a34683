package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/usage"
)

// Booking is a booking, as the newest version has it.
type Booking struct {
	ID        string `json:"id"`
	GuestName string `json:"guest_name"`
}

// BookingCreated is the whole body of a webhook, with the envelope of Standard Webhooks.
type BookingCreated struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      Booking   `json:"data"`
}

// Receiver is what a client sends to create a receiver.
type Receiver struct {
	URL    string `json:"url"`
	Secret string `json:"secret"`
}

// service has receivers and bookings, whatever the framework is.
type service struct {
	api      *verso.Versioning
	versions *catalogue.Catalogue
	history  *migrate.History
	created  migrate.Webhook[BookingCreated]
	calls    *usage.Table
	db       *sql.DB
	client   *http.Client
	clock    func() time.Time
	log      *slog.Logger
}

// Failure is the body of an error.
type Failure struct {
	Message string `json:"message"`
}

// newService returns a service whose v1 ends on 1 June 2027.
func newService(db *sql.DB, clock func() time.Time, log *slog.Logger) (*service, error) {
	versions, err := catalogue.New(catalogue.Config{
		AfterSunset: catalogue.Gone, ServedHeader: "Api-Version",
		Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: catalogue.MustDate("2027-01-01"), Sunset: catalogue.MustDate("2027-06-01"), Successor: "v2"},
			{Version: "v2"},
		},
	})
	if err != nil {
		return nil, err
	}
	s := &service{versions: versions, db: db, client: &http.Client{Timeout: 10 * time.Second}, clock: clock, log: log}
	config := verso.Config{Catalogue: versions, Clock: clock}
	s.calls = usage.NewTable(&config)
	if s.api, err = verso.New(verso.Header("Api-Version"), config); err != nil {
		return nil, err
	}
	s.history, err = migrate.New(s.api,
		migrate.Release("v2", migrate.Changed("A guest is a guest_name.", migrate.For[Booking](migrate.Renamed("guest", "guest_name")))),
		migrate.Release("v1"))
	if err != nil {
		return nil, err
	}
	s.created = migrate.Sends[BookingCreated](s.history, "booking.created")
	return s, s.createTables()
}

func (s *service) createTables() error {
	_, err := s.db.Exec(`
		CREATE TABLE IF NOT EXISTS receivers (
			id INTEGER PRIMARY KEY, client TEXT NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL,
			version TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0);
		CREATE TABLE IF NOT EXISTS messages (
			id TEXT PRIMARY KEY, receiver INTEGER NOT NULL, version TEXT NOT NULL, header TEXT NOT NULL, body BLOB NOT NULL,
			sent INTEGER NOT NULL DEFAULT 0)`)
	return err
}

// addReceiver stores a receiver with the version of the request that creates it.
func (s *service) addReceiver(ctx context.Context, client string, version verso.Version, r Receiver) error {
	if err := s.created.In(version); err != nil {
		return fmt.Errorf("no webhook of %s is sent: %w", version, err)
	}
	_, err := s.db.ExecContext(ctx, "INSERT INTO receivers (client, url, secret, version, created) VALUES (?, ?, ?, ?, ?)",
		client, r.URL, r.Secret, version.String(), s.clock().Unix())
	return err
}

// receiver is a stored one.
type receiver struct {
	id              int64
	client, version string
}

// addBooking tells each receiver of a booking, in the receiver's version.
func (s *service) addBooking(ctx context.Context, b Booking) error {
	receivers, err := rowsOf(ctx, s.db, func(rows *sql.Rows, r *receiver) error { return rows.Scan(&r.id, &r.client, &r.version) },
		"SELECT id, client, version FROM receivers WHERE ended = 0 ORDER BY id")
	if err != nil {
		return err
	}
	var failed []error
	event := BookingCreated{"booking.created", s.clock().UTC(), b}
	for _, r := range receivers {
		message, err := s.created.Marshal(verso.V(r.version), event)
		var gone *verso.Error
		switch {
		case err == nil:
			err = s.store(ctx, fmt.Sprintf("msg_%s_%d", b.ID, r.id), r.id, message)
		case errors.Is(err, migrate.ErrNoSuchEvent): // nothing is to be sent
			err = nil
		case errors.As(err, &gone): // the version has ended
			err = s.end(ctx, r, gone)
		}
		failed = append(failed, err) // anything else is tried again
	}
	return errors.Join(failed...)
}

// end marks a receiver as ended, and says so once.
func (s *service) end(ctx context.Context, r receiver, gone *verso.Error) error {
	s.log.WarnContext(ctx, "the version of a receiver has ended", "client", r.client, "version", r.version, "sunset", gone.Sunset, "successor", gone.Successor)
	_, err := s.db.ExecContext(ctx, "UPDATE receivers SET ended = ? WHERE id = ?", s.clock().Unix(), r.id)
	return err
}

// store stores a message with its bytes, so that each try sends and signs the same.
func (s *service) store(ctx context.Context, id string, receiver int64, m migrate.Message) error {
	header, err := json.Marshal(m.Header())
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "INSERT INTO messages (id, receiver, version, header, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		id, receiver, m.Version.String(), header, m.Body)
	return err
}

// deliver sends what was not sent yet. A real service calls it again for what failed, later
// each time.
func (s *service) deliver(ctx context.Context) error {
	messages, err := rowsOf(ctx, s.db, func(rows *sql.Rows, m *stored) error {
		return rows.Scan(&m.id, &m.header, &m.body, &m.url, &m.secret)
	}, "SELECT m.id, m.header, m.body, r.url, r.secret FROM messages m JOIN receivers r ON r.id = m.receiver WHERE m.sent = 0 ORDER BY m.id")
	failed := []error{err}
	for _, m := range messages {
		err := s.post(ctx, &m)
		if err == nil {
			_, err = s.db.ExecContext(ctx, "UPDATE messages SET sent = ? WHERE id = ?", s.clock().Unix(), m.id)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// stored is a stored message, with its receiver.
type stored struct {
	id, url, secret string
	header, body    []byte
}

// post sends a message to its receiver.
func (s *service) post(ctx context.Context, m *stored) error {
	now := s.clock().Unix()
	signed, err := signature(m.secret, m.id, now, m.body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(m.body))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(m.header, &r.Header); err != nil {
		return err
	}
	r.Header.Set("webhook-id", m.id)
	r.Header.Set("webhook-timestamp", strconv.FormatInt(now, 10))
	r.Header.Set("webhook-signature", signed)
	response, err := s.client.Do(r)
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16))
	if err := response.Body.Close(); err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s answered %s", m.id, response.Status)
	}
	return nil
}

// rowsOf returns the rows of a query, read to the end: SQLite has one writer.
func rowsOf[T any](ctx context.Context, db *sql.DB, scan func(*sql.Rows, *T) error, query string) (all []T, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one T
		if err := scan(rows, &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// pinned yields the receivers of a version that have not ended.
func (s *service) pinned(ctx context.Context, version string) iter.Seq2[usage.Pin, error] {
	return func(yield func(usage.Pin, error) bool) {
		rows, err := s.db.QueryContext(ctx, "SELECT client, url, created FROM receivers WHERE version = ? AND ended = 0 ORDER BY id", version)
		if err != nil {
			yield(usage.Pin{}, err)
			return
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var client, receiver string
			var created int64
			err := rows.Scan(&client, &receiver, &created)
			if !yield(usage.Pin{Client: client, For: "webhook " + receiver, Since: time.Unix(created, 0)}, err) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(usage.Pin{}, err)
		}
	}
}

// page returns the page of the calls and of the receivers.
func (s *service) page(explain func() *verso.Explanation) *usage.Page {
	page := s.calls.Handler(explain)
	page.Pinned = s.pinned
	return page
}

// clientOf returns the name of the client with a key.
func clientOf(key string) string { return map[string]string{"key-a": "acme", "key-b": "globex"}[key] }
