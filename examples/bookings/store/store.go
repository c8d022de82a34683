// Package store keeps bookings in SQLite. It knows nothing of versions.
package store

import (
	"context"
	"database/sql"
	"errors"
	"net/url"

	_ "modernc.org/sqlite" // the driver
)

// ErrNotFound is returned for a booking that is not there.
var ErrNotFound = errors.New("no such booking")

// Booking is what the service knows of a booking. How it looks in a version is
// the business of package api.
type Booking struct {
	ID                  int64
	FirstName, LastName string
	Room                string
	Nights              int
	Confirmed           bool
}

// Store is a database of bookings. It is safe for concurrent use.
type Store struct{ db *sql.DB }

// Open opens the database in a file, and makes it if there is none.
func Open(ctx context.Context, file string) (*Store, error) {
	db, err := sql.Open("sqlite", "file:"+url.PathEscape(file)+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)")
	if err != nil {
		return nil, err
	}
	_, err = db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS bookings (
		id INTEGER PRIMARY KEY AUTOINCREMENT, first TEXT, last TEXT, room TEXT, nights INT, confirmed INT DEFAULT 0)`)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Store{db}, nil
}

// Close closes the database.
func (s *Store) Close() error { return s.db.Close() }

const columns = `id, first, last, room, nights, confirmed`

// List returns a part of the bookings, in the order in which they were made, and
// how many there are.
func (s *Store) List(ctx context.Context, offset, limit int) (bookings []Booking, total int, err error) {
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM bookings`).Scan(&total); err != nil {
		return nil, 0, err
	}
	rows, err := s.db.QueryContext(ctx, `SELECT `+columns+` FROM bookings ORDER BY id LIMIT ? OFFSET ?`, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		b, err := scan(rows)
		if err != nil {
			return nil, 0, err
		}
		bookings = append(bookings, b)
	}
	return bookings, total, rows.Err()
}

// Get returns a booking, or ErrNotFound.
func (s *Store) Get(ctx context.Context, id int64) (Booking, error) {
	return s.one(ctx, `SELECT `+columns+` FROM bookings WHERE id = ?`, id)
}

// Create adds a booking and returns it with its ID.
func (s *Store) Create(ctx context.Context, b Booking) (Booking, error) {
	return s.one(ctx, `INSERT INTO bookings (first, last, room, nights) VALUES (?, ?, ?, ?) RETURNING `+columns,
		b.FirstName, b.LastName, b.Room, b.Nights)
}

// Update changes a booking and returns it, or ErrNotFound.
func (s *Store) Update(ctx context.Context, b Booking) (Booking, error) {
	return s.one(ctx, `UPDATE bookings SET first = ?, last = ?, room = ?, nights = ? WHERE id = ? RETURNING `+columns,
		b.FirstName, b.LastName, b.Room, b.Nights, b.ID)
}

// Confirm confirms a booking and returns it, or ErrNotFound.
func (s *Store) Confirm(ctx context.Context, id int64) (Booking, error) {
	return s.one(ctx, `UPDATE bookings SET confirmed = 1 WHERE id = ? RETURNING `+columns, id)
}

// Delete deletes a booking, or returns ErrNotFound.
func (s *Store) Delete(ctx context.Context, id int64) error {
	_, err := s.one(ctx, `DELETE FROM bookings WHERE id = ? RETURNING `+columns, id)
	return err
}

// one returns the booking that a statement is about, or ErrNotFound.
func (s *Store) one(ctx context.Context, statement string, args ...any) (Booking, error) {
	b, err := scan(s.db.QueryRowContext(ctx, statement, args...))
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return b, err
}

func scan(row interface{ Scan(into ...any) error }) (b Booking, err error) {
	err = row.Scan(&b.ID, &b.FirstName, &b.LastName, &b.Room, &b.Nights, &b.Confirmed)
	return b, err
}
