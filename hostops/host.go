package hostops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/facts"
	"github.com/hostprofile/hostprofile/hostops/file"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/kmod"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
	"github.com/hostprofile/hostprofile/hostops/mount"
	"github.com/hostprofile/hostprofile/hostops/selinux"
	"github.com/hostprofile/hostprofile/hostops/swap"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// Options say who works on which host.
type Options struct {
	// Root is the folder that holds the host's file system: "/" or where it is mounted.
	Root string
	// Tree: Root is the file system of a host that does not run, such as an image. What is
	// said of it is about its files, and Up prepares its next boots.
	Tree bool
	// Image: the host runs only to be made an image of. Up prepares the boots of its clones
	// and changes nothing that is live.
	Image bool
	// Version of the program, for the ledger.
	Version string
	// Holder describes this process to whoever finds the run lock taken.
	Holder string
	// LockTimeout is how long to wait for the run lock.
	LockTimeout time.Duration
	// Progress is told the name of each stage as it begins, and whom a run waits for. May be
	// nil.
	Progress func(stage string)
	// ManySysctls: a run that writes follows, and it nearly always has many.
	ManySysctls bool
	// Machine replaces the real host. For tests.
	Machine *machine.Machine
	// NodeIP is what is said about the address of the node, besides profiles.
	NodeIP NodeIPOptions
	// Unit is what is said about the boots to come.
	Unit UnitOptions
}

// Host is one opened host. It is used by one goroutine.
type Host struct {
	options Options
	machine *machine.Machine
	// running is machine as it runs, where machine is that of an image.
	running *machine.Machine
	facts   facts.Facts
	seen    ledger.Seen
	// nodeIP is what was decided about the address of the node for the present run, and
	// reported the addresses by which the cluster knows it.
	nodeIP   *NodeIPReport
	reported []string
	// since is when the present run's program began to wait for the network; zero if it
	// does not wait.
	since time.Time
	// unitProblem is what keeps the unit from being installed in the present run.
	unitProblem *item.Error
	// unitSeen is what systemd said of the unit when the present run looked last; unitFresh
	// that no stage has used it yet; unitMasked that somebody masked it.
	unitSeen   *machine.Unit
	unitFresh  bool
	unitMasked bool
}

// Open looks at the host. It writes nothing and takes no lock.
func Open(ctx context.Context, o Options) (*Host, error) {
	m := o.Machine
	if m == nil {
		var err error
		if m, err = reach(&o); err != nil {
			return nil, fmt.Errorf("open the host at %s: %w", o.Root, err)
		}
	}
	f, err := facts.Read(ctx, m)
	if err != nil {
		return nil, fmt.Errorf("read the host's facts: %w", err)
	}
	h := &Host{options: o, machine: m, running: m, facts: f}
	if h.offline() {
		return h, h.ofTree()
	}
	return h, nil
}

// reach returns the real machine.
func reach(o *Options) (*machine.Machine, error) {
	if !o.Tree && !o.Image {
		if o.ManySysctls {
			return linux.New(o.Root, linux.ManySysctls())
		}
		return linux.New(o.Root)
	}
	root, err := filepath.Abs(o.Root)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, err
	}
	if o.Tree && isOwnRoot(root) {
		return nil, ErrOwnRoot
	}
	return linux.New(root, linux.Offline())
}

// isOwnRoot reports whether a folder is the one that this process calls /, by whatever name
// or mount.
func isOwnRoot(root string) bool {
	own, err := os.Stat("/")
	if err != nil {
		return false
	}
	named, err := os.Stat(root)
	return err == nil && os.SameFile(own, named)
}

// Facts returns what was read when the host was opened.
func (h *Host) Facts() facts.Facts { return h.facts }

// openLedger reads what is recorded. It writes nothing.
func (h *Host) openLedger() (*ledger.Ledger, error) {
	return ledger.Open(h.machine.Files, h.ledgerOptions())
}

func (h *Host) ledgerOptions() ledger.Options {
	return ledger.Options{Machine: h.facts.MachineID, Writer: h.options.Version, Seen: &h.seen}
}

// engine returns the engine over the given record, with the stages that every program of
// ours runs.
func (h *Host) engine(l *ledger.Ledger) *engine.Engine {
	return &engine.Engine{Stages: h.stages(), Ledger: l, Progress: h.options.Progress}
}

// engineOfBoot is engine and, before the stage of firewalld, what makes the next boots
// prepare the host. Only bootstrap runs it: the agent's program is another one.
func (h *Host) engineOfBoot(l *ledger.Ledger) *engine.Engine {
	e := h.engine(l)
	e.Stages = slices.Insert(e.Stages, len(e.Stages)-1, h.unitStage())
	return e
}

// stages are the stages of a run, in order: what a stage observes may only be there
// because of the ones before it. That of firewalld is the last, so that systemd can read
// its units again meanwhile.
func (h *Host) stages() []engine.Stage {
	if h.offline() {
		return h.stagesOfImage()
	}
	m, boot := h.machine, h.facts.BootID
	files := file.New(m)
	return []engine.Stage{
		{Name: "directories", Operations: []item.Operation{dir.New(m)}},
		{Name: "modules", Operations: []item.Operation{kmod.New(m, boot), files}, Owns: owns(kmod.BootFile{}), Boot: kmod.BootFile{}},
		{Name: sysctlStageName, Operations: []item.Operation{sysctl.New(m, boot), files}, Owns: owns(sysctl.NewBootFile(m)), Boot: sysctl.NewBootFile(m)},
		{Name: "swap", Operations: []item.Operation{swap.New(m, boot)}},
		{Name: "mounts", Operations: []item.Operation{mount.New(m, boot)}},
		{Name: "SELinux", Operations: []item.Operation{selinux.New(m, boot, labelled())}},
		h.nodeIPStage(),
		{Name: "firewalld", Operations: []item.Operation{firewalld.New(m)}},
	}
}

// owns gives a stage its boot file, and all items of the stage's other kinds.
func owns(b item.BootFile) func(item.Key) bool {
	return func(k item.Key) bool { return k.Kind() != item.File || k == b.Key() }
}
