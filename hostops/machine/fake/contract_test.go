package fake_test

import (
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestTheFakeKeepsTheContract(t *testing.T) {
	contract.Run(t, newWorld)
	t.Run("global", func(t *testing.T) { contract.RunGlobal(t, newWorld) })
}

func newWorld(*testing.T) contract.World {
	h := fake.New(fake.Loopback())
	h.Delete("/lib")
	h.Delete("/usr")
	for _, dir := range []string{"/etc", "/var", "/run"} {
		h.Delete(dir)
		h.PutDir(dir, 0o755)
	}
	h.PutDir("/var/lib", 0o755)
	return world{h}
}

// world lets the contract do to a fake host what it does to a real one.
type world struct{ *fake.Host }

func (w world) Machine() *machine.Machine            { return w.Start().Machine() }
func (w world) AddAddress(link, cidr string)         { w.AddIP(link, cidr) }
func (w world) SetUp(link string)                    { w.SetLink(link, func(l *machine.Link) { l.Up = true }) }
func (w world) Cover(sysctl string)                  { w.MountOver(sysctl, true) }
func (w world) Protect()                             { w.Host.MountReadOnly("/proc/sys", true) }
func (w world) Mount(path string)                    { w.MountOver(path, true) }
func (w world) MountDir(path string)                 { w.MountOver(path, true) }
func (w world) MountReadOnly(dir string)             { w.Host.MountReadOnly(dir, true) }
func (w world) FillDisk()                            { w.Host.FillDisk(true) }
func (w world) Identity(path string) any             { return w.Mutations() }
func (w world) PutDir(path string, mode fs.FileMode) { w.Host.PutDir(path, mode) }
func (w world) PutPipe(path string)                  { w.PutDevice(path) }
func (w world) Hardlink(path, name string) {
	content, _ := w.File(path)
	w.PutFile(name, content)
	w.Host.Hardlink(path, 2)
	w.Host.Hardlink(name, 2)
}

func (w world) WriteUndurably(path, content string) {
	w.FailChange(path, machine.ErrNotDurable)
	_ = w.Machine().Files.Write(path, []byte(content), 0o644)
	w.FailChange(path, nil)
}

func (w world) AddChain(family, table, name string) {
	w.Host.AddChain(machine.Chain{Family: family, Table: table, Name: name})
}

func TestTheFakeServesManySysctlsAtOnce(t *testing.T) { contract.RunMany(t, newWorld) }
