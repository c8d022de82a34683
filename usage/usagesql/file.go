package usagesql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
)

// A database does not notice when its file is removed, or replaced by a backup: open connections stay with the file
// that lost its name, and new ones in the new file. So before each write, the file is compared with the one that
// the tables were made in.

// checkFile returns an error while connections may be open to a removed file. Once they are closed, the tables
// are made again, with the counts in memory. The lock is held.
func (s *Store) checkFile(ctx context.Context) error {
	if s.hasFile() {
		return nil
	}
	s.created = false
	if err := s.disconnect(ctx); err != nil {
		return err
	}
	s.opened = nil
	return fmt.Errorf("the file %s of the database was removed or replaced: "+
		"its counts are lost; the tables are made again", s.file)
}

// hasFile reports whether the file of the tables is still there, as far as there is one. The lock is held.
func (s *Store) hasFile() bool {
	if s.opened == nil {
		return true
	}
	now, err := os.Stat(s.file)
	return err == nil && os.SameFile(s.opened, now)
}

// rememberFile records which file the tables are in. The lock is held.
func (s *Store) rememberFile(ctx context.Context) error {
	if s.dialect.file == "" {
		return nil
	}
	if err := s.db.QueryRowContext(ctx, s.dialect.file).Scan(&s.file); err != nil || s.file == "" { // in memory
		return err
	}
	var err error
	s.opened, err = os.Stat(s.file)
	return err
}

// disconnect closes the connections of the pool, or returns an error if some are in use.
func (s *Store) disconnect(ctx context.Context) error {
	for range s.db.Stats().Idle {
		idle, err := s.db.Conn(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = idle.Close() }() // after all of them are taken
		_ = idle.Raw(func(any) error { return driver.ErrBadConn })
	}
	if s.db.Stats().OpenConnections > 0 {
		return errors.New("the file " + s.file + " of the database was removed or replaced, " +
			"and connections to it are in use: " +
			"counts wait in memory until these are closed")
	}
	return nil
}
