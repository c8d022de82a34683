package servertest

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// postgres is a PostgreSQL server on loopback.
type postgres struct{ folder, bin, dsn string }

// errNotInstalled: there is no PostgreSQL, or nobody who may run it.
var errNotInstalled = errors.New("there is no PostgreSQL: install the package postgresql to run these tests")

// newPostgres makes a server and starts it.
func newPostgres() (_ *postgres, err error) {
	initdb, err := exec.LookPath("initdb")
	if err != nil {
		installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
		if len(installed) == 0 {
			return nil, errNotInstalled
		}
		initdb = slices.MaxFunc(installed, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	}
	folder, err := os.MkdirTemp("/tmp", "verso-pg-") // a short path, since that of a socket has at most 107 bytes
	if err != nil {
		return nil, err
	}
	p := &postgres{folder: folder, bin: filepath.Dir(initdb)}
	defer func() {
		if err != nil {
			p.remove()
		}
	}()
	if os.Geteuid() == 0 { // initdb refuses root
		owner, err := user.Lookup("postgres")
		if err != nil {
			return nil, errNotInstalled
		}
		uid, uidErr := strconv.Atoi(owner.Uid)
		gid, gidErr := strconv.Atoi(owner.Gid)
		if err := errors.Join(uidErr, gidErr, os.Chown(folder, uid, gid)); err != nil {
			return nil, err
		}
	}
	if err := p.run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "-D", folder+"/data"); err != nil {
		return nil, err
	}
	// In the file, since a server that starts again forgets the options of pg_ctl.
	conf, err := os.OpenFile(folder+"/data/postgresql.conf", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	// No port, which others may take. The server is killed, never the machine: what it wrote needs no fsync, and
	// after a crash it does not wait for one of each file.
	_, err = fmt.Fprintf(conf, "listen_addresses = ''\nunix_socket_directories = '%s'\nmax_connections = 300\nfsync = off\n", folder)
	if err = errors.Join(err, conf.Close()); err != nil {
		return nil, err
	}
	p.dsn = "postgres:///postgres?user=postgres&host=" + url.QueryEscape(folder) + "&sslmode=disable&connect_timeout=3"
	return p, p.start()
}

func (p *postgres) start() error {
	return p.run("pg_ctl", "-D", p.folder+"/data", "-w", "-l", p.folder+"/log", "start")
}

// crash stops the server without letting it finish anything.
func (p *postgres) crash() error {
	return p.run("pg_ctl", "-D", p.folder+"/data", "-w", "-m", "immediate", "stop")
}

func (p *postgres) remove() {
	_ = p.crash()
	_ = os.RemoveAll(p.folder)
}

// run runs a command of the server. Its output goes to a file: the server would hold a
// pipe open.
func (p *postgres) run(name string, args ...string) error {
	args = append([]string{filepath.Join(p.bin, name)}, args...)
	if os.Geteuid() == 0 {
		args = append([]string{"runuser", "-u", "postgres", "--"}, args...)
	}
	out, err := os.CreateTemp("", "verso-pg-out-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(out.Name()) }()
	defer out.Close()
	command := exec.Command(args[0], args[1:]...)
	command.Dir, command.Stdout, command.Stderr = "/", out, out
	if err := command.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(said)))
	}
	return nil
}
