package dir

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// maxLinks bounds a chain of links, as the kernel does.
const maxLinks = 40

// walk is the way to a directory: what is behind, without a link on it, and what is ahead.
type walk struct {
	name  string   // where to
	at    string   // how far we are
	ahead []string // the elements that are left
	// linked is how many of ahead come from link, the last one that was followed.
	linked int
	link   string
}

// place returns the path of a directory without a link on it, and an error that matches
// fs.ErrNotExist if something of it is missing. Links are followed within the host's root,
// if only root can have made them: everything below could be anybody's otherwise.
func (o *Operation) place(name string) (string, error) {
	w := walk{name: name, at: "/", ahead: strings.Split(strings.TrimPrefix(name, "/"), "/")}
	for links := 0; len(w.ahead) > 0; {
		next := path.Join(w.at, w.ahead[0])
		info, err := o.m.Files.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path.Join(next, path.Join(w.ahead[1:]...)), w.missing(next, err)
		case err != nil:
			return "", err
		case info.Mode().Type() == fs.ModeSymlink:
			if links++; links > maxLinks {
				return "", fmt.Errorf("%s: too many links", name)
			}
			if err := o.follow(&w, next, info); err != nil {
				return "", err
			}
		case !info.IsDir():
			return "", noDirectory(next)
		default:
			w.step(next)
		}
	}
	return w.at, nil
}

func (w *walk) step(next string) {
	w.at, w.ahead = next, w.ahead[1:]
	w.linked = max(0, w.linked-1)
}

// missing is a link to nothing, or a directory that is not there.
func (w *walk) missing(at string, err error) error {
	if w.linked == 0 {
		return err
	}
	return &item.Error{
		Reason: UnexpectedFile, File: w.link,
		Message: fmt.Sprintf("%s is a link, and %s is not there", w.link, at),
		Fix:     fmt.Sprintf("make %s, or remove the link", at),
	}
}

// follow goes on where a link leads to.
func (o *Operation) follow(w *walk, link string, info fs.FileInfo) error {
	if err := o.trust(w.at, link, info); err != nil {
		return err
	}
	target, err := o.m.Files.Readlink(link)
	if err != nil {
		return fmt.Errorf("read link %s: %w", link, err)
	}
	if !path.IsAbs(target) {
		target = path.Join(w.at, target)
	}
	names := strings.Split(strings.TrimPrefix(path.Clean(target), "/"), "/")
	if names[0] == "" {
		names = nil // the root itself
	}
	w.at, w.link, w.linked = "/", link, len(names)+max(0, w.linked-1)
	w.ahead = slices.Concat(names, w.ahead[1:])
	return nil
}

// trust refuses a link that others than root may have made.
func (o *Operation) trust(dir, link string, info fs.FileInfo) error {
	if uid := ownerOf(info).UID; uid != 0 {
		return distrusted(link, fmt.Sprintf("belongs to user %d", uid))
	}
	in, err := o.m.Files.Lstat(dir)
	if err != nil {
		return err
	}
	if uid := ownerOf(in).UID; uid != 0 {
		return distrusted(link, fmt.Sprintf("is in %s, which belongs to user %d", dir, uid))
	}
	if in.Mode()&0o002 != 0 {
		return distrusted(link, fmt.Sprintf("is in %s, which everybody may write to", dir))
	}
	return nil
}

func ownerOf(info fs.FileInfo) machine.Owner {
	owner, _ := info.Sys().(machine.Owner)
	return owner
}
