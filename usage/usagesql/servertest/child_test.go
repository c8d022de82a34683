package servertest

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/usage/usagesql"
)

const (
	childInterval = 500 * time.Millisecond // between two writes of a child
	closeTimeout  = 5 * time.Second        // after which it ends without the database
)

// child is a process that counts a request in each millisecond, for the client that is
// named as it is, and prints how many. On SIGTERM it ends orderly.
func child() {
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	dialect, err := strconv.Atoi(os.Args[3])
	fail(err)
	db, err := sql.Open(os.Args[1], os.Args[2])
	fail(err)
	store, err := usagesql.New(&verso.Config{Catalogue: versions()}, usagesql.Config{DB: db, Dialect: usagesql.Dialect(dialect), Every: childInterval, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	fail(err)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	tick := time.NewTicker(time.Millisecond)
	for n := 1; ; n++ {
		select {
		case <-stop:
			ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
			defer cancel()
			fail(store.Close(ctx))
			return
		case <-tick.C:
			store.Observe(context.Background(), call("v1", os.Getenv(childVariable), fmt.Sprint("/", n%20), time.Now()))
			fmt.Println(n)
		}
	}
}

// children are processes of a test.
type childProcess struct {
	name    string
	command *exec.Cmd
	log     *recorder
	counted atomic.Int64 // what it has said
	done    chan struct{}
	killed  bool
}

func startChild(tb testing.TB, d database, name string) *childProcess {
	tb.Helper()
	self, err := os.Executable()
	require.NoError(tb, err)
	c := &childProcess{name: name, command: exec.Command(self, d.driver, d.dsn, strconv.Itoa(int(d.dialect))), log: new(recorder), done: make(chan struct{})}
	c.command.Env = append(os.Environ(), childVariable+"="+name)
	c.command.Stderr = c.log
	out, err := c.command.StdoutPipe()
	require.NoError(tb, err)
	require.NoError(tb, c.command.Start())
	tb.Cleanup(func() { _ = c.command.Process.Kill() })
	go func() {
		defer close(c.done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			n, _ := strconv.ParseInt(lines.Text(), 10, 64)
			c.counted.Store(n)
		}
	}()
	return c
}

// kill ends the process at once.
func (c *childProcess) kill(tb testing.TB) {
	tb.Helper()
	require.NoError(tb, c.command.Process.Kill())
	c.killed = true
	<-c.done
	require.Error(tb, c.command.Wait())
}

// terminate lets the process end orderly.
func (c *childProcess) terminate(tb testing.TB) {
	tb.Helper()
	require.NoError(tb, c.command.Process.Signal(syscall.SIGTERM))
	<-c.done
	require.NoError(tb, c.command.Wait(), c.log.String())
}
