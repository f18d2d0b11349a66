package linux_test

import (
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

// A value can be longer than what one write makes: this one is a set, to which later
// writes add.
func TestAValueLongerThanAPageIsReadWhole(t *testing.T) {
	if !sandboxed(t) {
		return
	}
	const key = "net/ipv4/ip_local_reserved_ports"
	fd, err := unix.Open("/proc/sys/"+key, unix.O_WRONLY, 0)
	must(t, err)
	defer func() { must(t, unix.Close(fd)) }()
	var ports []string
	for p := 10000; p < 16000; p += 2 {
		ports = append(ports, strconv.Itoa(p))
		if len(ports)%500 == 0 {
			_, err := unix.Write(fd, []byte(strings.Join(ports[len(ports)-500:], ",")+"\n"))
			must(t, err)
		}
	}
	m, err := linux.New("/")
	must(t, err)
	got, err := m.Proc.ReadSysctl(key)
	must(t, err)
	if want := strings.Join(ports, ","); got != want {
		t.Errorf("read %d bytes, want %d", len(got), len(want))
	}
}
