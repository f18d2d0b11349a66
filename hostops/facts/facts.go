package facts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Facts is what was read of one host. A field that could not be read is zero, and
// Warnings says why.
type Facts struct {
	// BootID is another one after every boot. It is never empty.
	BootID string
	// MachineID is empty on an image that has not got one yet.
	MachineID string
	// Hostname is what the kernel says, as it is: "(none)" and "localhost" too.
	Hostname string
	Kernel   Release
	OS       OS
	Cgroup   Cgroup
	Memory   Memory
	// SELinux is SELinuxOff where there is none.
	SELinux machine.SELinuxMode
	// Warnings are sentences for people, in the order of the fields.
	Warnings []string
}

// Read reads the host's facts. It fails only if the boot id cannot be read, or if ctx
// has ended.
func Read(ctx context.Context, m *machine.Machine) (Facts, error) {
	if err := ctx.Err(); err != nil {
		return Facts{}, err
	}
	boot, err := readBootID(m)
	if err != nil {
		return Facts{}, err
	}
	r := reader{m, &Facts{BootID: boot}}
	r.machineID()
	r.hostname()
	r.kernel()
	r.os()
	r.cgroup()
	r.memory()
	r.selinux()
	return *r.facts, nil
}

// readBootID: systemd-nspawn mounts a file of its own over the kernel's, since a
// container boots more often than the machine.
func readBootID(m *machine.Machine) (string, error) {
	boot, err := m.Proc.ReadSysctl(paths.BootID)
	if errors.Is(err, machine.ErrNotProcfs) {
		var b []byte
		b, err = m.Files.Read("/proc/sys/" + paths.BootID)
		boot = string(b)
	}
	if err != nil {
		return "", fmt.Errorf("read the boot id: %w", err)
	}
	if boot = strings.TrimSpace(boot); boot == "" {
		return "", errors.New("the boot id is empty")
	}
	return boot, nil
}

// reader fills one Facts.
type reader struct {
	m     *machine.Machine
	facts *Facts
}

func (r reader) warn(what string, err error) {
	r.facts.Warnings = append(r.facts.Warnings, fmt.Sprintf("%s: %v", what, err))
}

// machineID takes a missing file for an image without an id: it is made at first boot.
func (r reader) machineID() {
	b, err := r.m.Files.Read(paths.MachineID)
	if isMissing(err) {
		return
	}
	if err == nil {
		r.facts.MachineID, err = ParseMachineID(string(b))
	}
	if err != nil {
		r.warn("machine id", err)
	}
}

func (r reader) hostname() {
	name, err := r.m.Proc.ReadSysctl(paths.HostnameKey)
	if err != nil {
		r.warn("host name", err)
	}
	r.facts.Hostname = name
}

func (r reader) kernel() {
	raw, err := r.m.Proc.ReadSysctl(paths.OSReleaseKey)
	if err == nil {
		r.facts.Kernel, err = ParseRelease(raw)
	}
	if err != nil {
		r.warn("kernel release", err)
	}
}

// os takes the vendor's file where the admin has none.
func (r reader) os() {
	b, err := r.m.Files.Read(paths.OSRelease)
	if isMissing(err) {
		b, err = r.m.Files.Read(vendorOSRelease)
	}
	r.facts.OS = ParseOSRelease(string(b))
	if err != nil {
		r.warn("os-release", err)
	}
}

const vendorOSRelease = "/usr/lib/os-release"

// cgroup looks at the mounts of PID 1: those of a process in a pod are its own.
func (r reader) cgroup() {
	mounts, err := r.m.Proc.ReadProc("/proc/1/mounts")
	if err != nil {
		mounts, err = r.m.Proc.ReadProc("/proc/self/mounts")
	}
	if err != nil {
		r.warn("cgroup", err)
		return
	}
	r.facts.Cgroup.Known, r.facts.Cgroup.Mode = true, ParseCgroupMode(string(mounts))
	if r.facts.Cgroup.Mode != Unified {
		return
	}
	list, err := r.m.Proc.ReadProc(cgroupRoot + "/cgroup.controllers")
	if err != nil {
		r.warn("cgroup controllers", err)
	}
	r.facts.Cgroup.Controllers = strings.Fields(string(list))
}

func (r reader) memory() {
	b, err := r.m.Proc.ReadProc(paths.Meminfo)
	if err == nil {
		r.facts.Memory, err = ParseMeminfo(string(b))
	}
	if err != nil {
		r.warn("memory", err)
	}
}

// selinux takes what cannot be read for on: it is off only where there is nothing of it.
func (r reader) selinux() {
	mode, err := r.m.SELinux.SELinuxMode()
	if err != nil {
		r.warn("SELinux", err)
		mode = machine.SELinuxEnforcing
	}
	r.facts.SELinux = mode
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
