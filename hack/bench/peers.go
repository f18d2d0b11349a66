package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// peers are programs that run on this machine, and the Debian packages that have them.
// firewalld is in the image of the virtual machine that it is measured in.
var peers = []struct{ program, debian string }{
	{"sysctl", "procps"},
	{"/usr/lib/systemd/systemd-sysctl", "systemd"},
	{"runc", "runc"},
}

// installPeers installs what is missing, one by one. What cannot be had is told, and its
// rows have no peer.
func installPeers(ctx context.Context) {
	for _, p := range peers {
		if _, err := exec.LookPath(p.program); err == nil {
			continue
		}
		cmd := exec.CommandContext(ctx, "apt-get", "install", "-y", "--no-install-recommends", p.debian)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := cmd.CombinedOutput(); err != nil {
			fmt.Printf("left out: %s, since %s cannot be installed: %v\n%s", p.program, p.debian, err, out)
		}
	}
}
