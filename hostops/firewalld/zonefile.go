package firewalld

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
)

// Rewritten is the state of a zone's file that firewalld wrote because of us. What stood
// there before, its comments and its layout, is in the record.
var Rewritten = item.Text("written by firewalld")

// kept are the files of a zone, each as item.FileState spells it; nil if it is not there.
type kept struct {
	File *string `json:"file,omitempty"`
	Old  *string `json:"old,omitempty"`
}

func (o *Operation) observeFile(zone string) (item.State, error) {
	if o.rewritten[zone] {
		return Rewritten, nil
	}
	var k kept
	var err error
	if k.File, err = o.keep(zonefile.Path(zone)); err != nil {
		return item.Unknown, err
	}
	if k.Old, err = o.keep(zonefile.Backup(zone)); err != nil {
		return item.Unknown, err
	}
	if k == (kept{}) {
		return item.Absent, nil
	}
	text, err := json.Marshal(k)
	return item.Text(string(text)), err
}

func (o *Operation) keep(path string) (*string, error) {
	stat, err := o.m.Files.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	content, err := o.m.Files.Read(path)
	if err != nil {
		return nil, err
	}
	text := item.FileState(stat.Mode(), content).Text()
	return &text, nil
}

// applyFile has nothing to do when bindings are made, since firewalld writes the file
// then. When all of ours are gone it puts back what stood there, if that says the same
// as the file does now.
func (o *Operation) applyFile(ctx context.Context, zone string, to item.State) error {
	if to == Rewritten {
		o.rewritten[zone] = true
		return nil
	}
	var before kept
	if to.Present() {
		if err := json.Unmarshal([]byte(to.Text()), &before); err != nil {
			return fmt.Errorf("the record of zone %s: %w", zone, err)
		}
	}
	if err := o.giveBack(ctx, zone, before); err != nil {
		return err
	}
	delete(o.rewritten, zone)
	return nil
}

func (o *Operation) giveBack(ctx context.Context, zone string, before kept) error {
	now, err := o.m.Files.Read(zonefile.Path(zone))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	missing := err != nil
	if missing && before.File == nil {
		return o.put(zonefile.Backup(zone), before.Old)
	}
	if err := o.comparable(zone, now, missing, before); err != nil {
		return err
	}
	if err := o.putBack(ctx, zone, before); err != nil {
		return err
	}
	return o.put(zonefile.Backup(zone), before.Old)
}

// comparable reports, as an error, why the file must stay as it is.
func (o *Operation) comparable(zone string, now []byte, missing bool, before kept) error {
	if missing {
		return fmt.Errorf("%s was removed by somebody else: %w", zonefile.Path(zone), item.ErrLeave)
	}
	if left := o.left(zone, now); left != "" {
		err := fmt.Errorf("%s still binds %s", zonefile.Path(zone), left)
		if o.daemon.State == machine.FirewallAbsent && o.lost == nil {
			err = errors.Join(err, item.ErrLeave) // and nobody is there to read it or to change it
		}
		return err
	}
	was, err := o.m.Files.Read(zonefile.Dirs[1] + "/" + zone + ".xml")
	if before.File != nil {
		_, was, err = item.Text(*before.File).FileContent()
	}
	if err != nil || !zonefile.Same(now, was) {
		return fmt.Errorf("%s was changed by somebody else too: %w", zonefile.Path(zone), item.ErrLeave)
	}
	return nil
}

// left names a binding of ours that the file still has.
func (o *Operation) left(zone string, content []byte) string {
	z, err := zonefile.Parse(zone, content)
	if err != nil {
		return ""
	}
	for _, name := range z.Interfaces {
		if o.owned[(Ref{Zone: zone, Binding: machine.Binding{Name: name, Permanent: true}}).Key()] {
			return name
		}
	}
	return ""
}

func (o *Operation) putBack(ctx context.Context, zone string, before kept) error {
	if before.File != nil {
		return o.put(zonefile.Path(zone), before.File)
	}
	return o.ask(func() error { return o.m.Firewall.DropZoneFile(ctx, zone) })
}

// put makes a file what was kept of it.
func (o *Operation) put(path string, file *string) error {
	if file == nil {
		if err := o.m.Files.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	mode, content, err := item.Text(*file).FileContent()
	if err != nil {
		return err
	}
	return o.m.Files.Write(path, content, mode)
}
