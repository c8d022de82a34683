// Package proxytest starts proxies, which are installed apart, for tests.
package proxytest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Program is a proxy.
type Program struct {
	Name, Command, Install string
	Config                 string // with places for the address and the origin's port, in this order
	Arguments              func(folder, address string) []string
}

// Nginx returns nginx with lines of its http block and of its server.
func Nginx(http, server string) Program {
	// One process, so that nothing stays when it ends, and no other user reads the folder.
	config := `
daemon off;
master_process off;
pid pid;
error_log stderr;
events {}
http {
	access_log off;
	client_body_temp_path body;
	proxy_temp_path proxy;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	HTTP
	server {
		listen %[1]s;
		SERVER
	}
}
`
	return Program{"nginx", "nginx", "apt-get install nginx", strings.NewReplacer("HTTP", http, "SERVER", server).Replace(config), func(folder, _ string) []string {
		return []string{"-p", folder + "/", "-c", "config"}
	}}
}

// Start starts a proxy in front of a server, until the end of the test, and returns its
// address. It skips the test where the program is not installed.
func Start(t *testing.T, p Program, origin string) (address string) {
	t.Helper()
	program, err := exec.LookPath(p.Command)
	if err != nil { // not on the path of everybody
		program, err = exec.LookPath("/usr/sbin/" + p.Command)
	}
	if err != nil {
		t.Skipf("there is no %s: %s, to run this test", p.Name, p.Install)
	}
	// No other test takes the port meanwhile at an address of its own, which only Linux has.
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	require.NoError(t, err)
	address = listener.Addr().String()
	require.NoError(t, listener.Close())

	_, port, err := net.SplitHostPort(origin)
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "config"), fmt.Appendf(nil, p.Config, address, port), 0o666))
	command := exec.Command(program, p.Arguments(folder, address)...)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	require.NoError(t, command.Start())
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		<-ended
	})
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			require.NoError(t, conn.Close())
			return address
		}
		select {
		case <-ended:
			require.FailNow(t, "it has ended", "%s: %v\n%s", p.Name, command.ProcessState, said.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
