package record

import "maps"

// Disk is what a crash leaves of one directory: the content by name.
type Disk map[string]string

// file is what the log says about one inode.
type file struct {
	written string // all of it
	synced  string // as of the last fsync
	dirty   bool   // written since
}

// Crashes calls visit with every legal state of the directory after a crash before,
// between or after the logged calls, which began with the durable names in start.
// Some states come more than once.
//
// It assumes no more than POSIX promises: an fsync of a file makes its content
// durable, one of the directory makes its names durable. Of names changed since, any
// may be there or not, in any combination. Of content written since, any beginning
// may be there, or as many zero bytes.
func Crashes(start Disk, calls []Call, visit func(Disk)) {
	CrashesAt(start, calls, func(_ int, d Disk) { visit(d) })
}

// CrashesAt is Crashes that says how many of the calls were made before the crash.
func CrashesAt(start Disk, calls []Call, visit func(made int, d Disk)) {
	d := begin(start)
	at := func(made int) { d.visit(func(state Disk) { visit(made, state) }) }
	at(0)
	for i, c := range calls {
		d.apply(c)
		at(i + 1)
	}
}

// CrashesAfter is Crashes for a crash after the last of the calls.
func CrashesAfter(start Disk, calls []Call, visit func(Disk)) {
	d := begin(start)
	for _, c := range calls {
		d.apply(c)
	}
	d.visit(visit)
}

func begin(start Disk) *disk {
	d := &disk{files: make(map[uint64]*file), inodes: make(map[string]uint64)}
	// Files of before the log get numbers that no file system uses.
	next := ^uint64(0)
	for name, content := range start {
		d.files[next] = &file{written: content, synced: content}
		d.inodes[name] = next
		next--
	}
	d.durable = maps.Clone(d.inodes)
	return d
}

// disk is the state of the directory as programs see it, and what of it is durable.
type disk struct {
	files   map[uint64]*file
	inodes  map[string]uint64 // names as programs see them
	durable map[string]uint64 // names as of the last fsync of the directory
	pending []change
}

// change is one name that became another inode, or none (0).
type change struct {
	name string
	ino  uint64
}

func (d *disk) apply(c Call) {
	if c.Err != nil {
		return
	}
	switch c.Op {
	case "Create":
		d.files[c.Ino] = &file{}
		d.set(change{c.Name, c.Ino})
	case "Write":
		f := d.files[c.Ino]
		f.written, f.dirty = f.written+string(c.Data), true
	case "Link":
		d.set(change{c.To, d.inodes[c.Name]})
	case "Rename":
		d.set(change{c.To, d.inodes[c.Name]}, change{c.Name, 0})
	case "Unlink":
		d.set(change{c.Name, 0})
	case "Fsync":
		d.sync(c)
	}
}

func (d *disk) sync(c Call) {
	if c.Dir {
		d.durable, d.pending = maps.Clone(d.inodes), nil
		return
	}
	f := d.files[c.Ino]
	f.synced, f.dirty = f.written, false
}

func (d *disk) set(changes ...change) {
	for _, c := range changes {
		if c.ino == 0 {
			delete(d.inodes, c.name)
		} else {
			d.inodes[c.name] = c.ino
		}
	}
	d.pending = append(d.pending, changes...)
}

// visit goes through every subset of the pending names and, for each, through every
// content that an inode may have.
func (d *disk) visit(visit func(Disk)) {
	for subset := range 1 << len(d.pending) {
		names := maps.Clone(d.durable)
		for i, c := range d.pending {
			if subset>>i&1 == 0 {
				continue
			}
			if c.ino == 0 {
				delete(names, c.name)
			} else {
				names[c.name] = c.ino
			}
		}
		d.contents(names, visit)
	}
}

func (d *disk) contents(names map[string]uint64, visit func(Disk)) {
	for _, cut := range []int{0, 1, 2, 3} {
		state := make(Disk, len(names))
		for name, ino := range names {
			state[name] = d.files[ino].after(cut)
		}
		visit(state)
	}
}

// after is a content that a crash may leave: none of what was written since the last
// fsync, a half, all, or zero bytes in its place.
func (f *file) after(cut int) string {
	if !f.dirty {
		return f.synced
	}
	grown := len(f.written) - len(f.synced)
	switch cut {
	case 0:
		return f.synced
	case 1:
		return f.written[:len(f.synced)+grown/2]
	case 2:
		return f.written
	default:
		return f.synced + string(make([]byte, grown))
	}
}
