package facts

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// KernelOptions are the options that a kernel was built with, by name: "y" if it has one,
// "m" if a module has, or the value of another kind of option.
type KernelOptions map[string]string

// Has reports whether the kernel has an option, itself or as a module.
func (o KernelOptions) Has(name string) bool { return o[name] == "y" || o[name] == "m" }

// ReadKernelOptions reads the options of a release from the kernel itself, or from the
// file that its package brings, and says which. Many kernels say nothing: then from is
// empty.
func ReadKernelOptions(m *machine.Machine, release string) (options KernelOptions, from string) {
	if packed, err := m.Proc.ReadProc(paths.KernelConfig); err == nil {
		if text, err := unpack(packed); err == nil {
			return ParseKernelOptions(text), paths.KernelConfig
		}
	}
	if release == "" || strings.Contains(release, "/") {
		return nil, ""
	}
	for _, file := range []string{paths.BootConfig + release, paths.LibModules + "/" + release + "/config"} {
		if text, err := m.Files.Read(file); err == nil {
			return ParseKernelOptions(string(text)), file
		}
	}
	return nil, ""
}

func unpack(packed []byte) (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(r, machine.MaxFileSize+1))
	if err == nil && len(text) > machine.MaxFileSize {
		err = fmt.Errorf("larger than %d bytes", machine.MaxFileSize)
	}
	return string(text), err
}

// ParseKernelOptions reads the format of .config. Options that are not set stand in
// comments, and are left out.
func ParseKernelOptions(text string) KernelOptions {
	o := KernelOptions{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if name, is := strings.CutPrefix(name, "CONFIG_"); ok && is {
			o[name] = strings.Trim(value, `"`)
		}
	}
	return o
}
