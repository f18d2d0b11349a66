package offline

import (
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// files are those of an image: of what does not last, nothing is there, and nothing is made.
type files struct{ host machine.Files }

func refused(op, path string, err error) error {
	return &fs.PathError{Op: op, Path: path, Err: err}
}

func (f files) Read(path string) ([]byte, error) {
	if passes(path) {
		return nil, refused("read", path, fs.ErrNotExist)
	}
	return f.host.Read(path)
}

func (f files) Lstat(path string) (fs.FileInfo, error) {
	if passes(path) {
		return nil, refused("lstat", path, fs.ErrNotExist)
	}
	return f.host.Lstat(path)
}

func (f files) ReadDir(path string) ([]string, error) {
	if passes(path) {
		return nil, refused("readdir", path, fs.ErrNotExist)
	}
	return f.host.ReadDir(path)
}

func (f files) Readlink(path string) (string, error) {
	if passes(path) {
		return "", refused("readlink", path, fs.ErrNotExist)
	}
	return f.host.Readlink(path)
}

func (f files) Write(path string, content []byte, mode fs.FileMode) error {
	if passes(path) {
		return refused("write", path, machine.ErrReadOnly)
	}
	return f.host.Write(path, content, mode)
}

func (f files) WriteVolatile(path string, content []byte, mode fs.FileMode) error {
	if passes(path) {
		return refused("write", path, machine.ErrReadOnly)
	}
	return f.host.WriteVolatile(path, content, mode)
}

func (f files) Remove(path string) error {
	if passes(path) {
		return refused("remove", path, fs.ErrNotExist)
	}
	return f.host.Remove(path)
}

func (f files) Link(path, target string) error {
	if passes(path) {
		return refused("link", path, machine.ErrReadOnly)
	}
	return f.host.Link(path, target)
}

func (f files) Unlink(path string) error {
	if passes(path) {
		return refused("unlink", path, fs.ErrNotExist)
	}
	return f.host.Unlink(path)
}

func (f files) Mkdir(path string, mode fs.FileMode) error {
	if passes(path) {
		return refused("mkdir", path, machine.ErrReadOnly)
	}
	return f.host.Mkdir(path, mode)
}

func (f files) Chmod(path string, mode fs.FileMode) error {
	if passes(path) {
		return refused("chmod", path, fs.ErrNotExist)
	}
	return f.host.Chmod(path, mode)
}

func (f files) Chown(path string, uid, gid uint32) error {
	if passes(path) {
		return refused("chown", path, fs.ErrNotExist)
	}
	return f.host.Chown(path, uid, gid)
}

func (f files) Rmdir(path string) error {
	if passes(path) {
		return refused("rmdir", path, fs.ErrNotExist)
	}
	return f.host.Rmdir(path)
}

func (f files) Sweep(path string) ([]string, error) {
	if passes(path) {
		return nil, refused("sweep", path, fs.ErrNotExist)
	}
	return f.host.Sweep(path)
}

func (f files) Settle(path string) error {
	if passes(path) {
		return refused("settle", path, fs.ErrNotExist)
	}
	return f.host.Settle(path)
}
