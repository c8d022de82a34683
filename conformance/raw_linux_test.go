package conformance_test

import (
	"io"
	"net"
	"syscall"
	"testing"
	"unsafe"

	"github.com/goverso/verso/conformance"
)

// TestRawServer runs checks on a server that reads and writes with raw system calls,
// as the servers of some frameworks do. The race detector then sees neither that the
// request comes before the handler nor that the handler comes before the response. So
// it fails here if a check and its handlers share data without a lock.
func TestRawServer(t *testing.T) {
	conformance.Quiet(t)
	for _, name := range []string{
		"routes/random", "links/url_path", "links/hostname", "observe/served", "concurrent/query_parameter", "faults/source/fails",
		"determine/url_path/v9/both", "links/url_path/other-version",
	} {
		t.Run(name, func(t *testing.T) {
			if err := conformance.CheckSubtest(t, mountRaw, name); err != nil {
				t.Error(err)
			}
		})
	}
}

// mountRaw mounts the reference adapter on net/http with raw connections, except over
// TLS: crypto/tls uses locks.
func mountRaw(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	if app.TLS != nil {
		return mountReference(tb, app)
	}
	return mounting(mutation{conn: func(conn net.Conn) net.Conn {
		raw, _ := conn.(syscall.Conn).SyscallConn()
		return rawConn{conn, raw}
	}})(tb, app)
}

type rawConn struct {
	net.Conn
	raw syscall.RawConn
}

func (c rawConn) Read(p []byte) (int, error) {
	n, err := call(syscall.SYS_READ, c.raw.Read, p)
	if n == 0 && len(p) > 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

func (c rawConn) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var written int
		written, err = call(syscall.SYS_WRITE, c.raw.Write, p[n:])
		n += written
	}
	return n, err
}

// call makes a system call when the connection is ready for it.
func call(number uintptr, whenReady func(func(fd uintptr) bool) error, p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	var n uintptr
	var errno syscall.Errno
	err := whenReady(func(fd uintptr) bool {
		n, _, errno = syscall.RawSyscall(number, fd, uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		return errno != syscall.EAGAIN
	})
	switch {
	case err != nil:
		return 0, err
	case errno != 0:
		return 0, errno
	}
	return int(n), nil
}
