package nodeip_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

func TestFlagsInTheFilesOfAKubelet(t *testing.T) {
	for _, tt := range []struct{ content, want string }{
		{"", ""},
		{"KUBELET_EXTRA_ARGS=--node-ip=192.0.2.10", "192.0.2.10"},
		{"KUBELET_EXTRA_ARGS=--v=2 --node-ip=192.0.2.10", "192.0.2.10"},
		{`KUBELET_EXTRA_ARGS="--v=2 --node-ip 192.0.2.10"`, "192.0.2.10"},
		{"KUBELET_EXTRA_ARGS='--node-ip=192.0.2.10,2001:db8::10'", "192.0.2.10,2001:db8::10"},
		{"# KUBELET_EXTRA_ARGS=--node-ip=192.0.2.10", ""},
		{"; KUBELET_EXTRA_ARGS=--node-ip=192.0.2.10", ""},
		{"KUBELET_EXTRA_ARGS=--node-ip=192.0.2.9\nKUBELET_EXTRA_ARGS=--node-ip=192.0.2.10", "192.0.2.10"},
		{"[Service]\nEnvironment=\"KUBELET_NETWORK_ARGS=--node-ip=192.0.2.10 --v=2\"", "192.0.2.10"},
		{"[Service]\nEnvironment=A=1 \"B=--node-ip=192.0.2.10\"", "192.0.2.10"},
		{"ExecStart=/usr/bin/kubelet --v=2 \\\n  --node-ip=192.0.2.10 \\\n  --x", "192.0.2.10"},
		{"KUBELET_EXTRA_ARGS=--node-ips=192.0.2.10 --my-node-ip=1", ""},
		{"KUBELET_EXTRA_ARGS=--node-ip", ""},
		{"no assignment --node-ip 192.0.2.10", ""},
		{"KUBELET_EXTRA_ARGS=\"--node-ip=192.0.2.10", "192.0.2.10"}, // an open quote ends with the line
	} {
		if got := nodeip.FlagInText(tt.content, "node-ip"); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.content, got, tt.want)
		}
	}
}

func TestWhatAUnitHasInItsConfigArgs(t *testing.T) {
	kubeadm := "[Service]\nEnvironment=\"KUBELET_KUBECONFIG_ARGS=--kubeconfig=/k\"\nEnvironment=\"KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml\"\n"
	for _, tt := range []struct {
		files []string
		want  string
		found bool
	}{
		{nil, "", false},
		{[]string{"[Service]\nExecStart=/usr/bin/kubelet\n"}, "", false},
		{[]string{kubeadm}, "--config=/var/lib/kubelet/config.yaml", true},
		{[]string{kubeadm, "[Service]\nEnvironment=KUBELET_CONFIG_ARGS=--config=/b OTHER=1\n"}, "--config=/b", true},
		{[]string{kubeadm, "[Service]\nEnvironment=\"KUBELET_CONFIG_ARGS=--config=/100%%/a \\\"b\\\"\"\n"}, `--config=/100%/a "b"`, true},
		{[]string{"[Service]\nEnvironment=\"KUBELET_CONFIG_ARGS=\"\n"}, "", true},
		{[]string{"# Environment=\"KUBELET_CONFIG_ARGS=--config=/b\"\n"}, "", false},
	} {
		if got, found := nodeip.ConfigArgs(tt.files); got != tt.want || found != tt.found {
			t.Errorf("%q: %q, %v", tt.files, got, found)
		}
	}
}

// FuzzUnits: what our drop-in sets reads back as it was meant, and no file makes us fail.
func FuzzUnits(f *testing.F) {
	f.Add("--config=/var/lib/kubelet/config.yaml", "KUBELET_EXTRA_ARGS=\"--v=2\"")
	f.Add(`--config=/a b "c" \d %n`, "Environment=\"\\\n'")
	f.Fuzz(func(t *testing.T, args, content string) {
		nodeip.FlagInText(content, "node-ip")
		nodeip.SetsConfigArgs(content)
		nodeip.ConfigArgs([]string{content})
		if strings.ContainsAny(args, "\n\r\x00") {
			return // no unit holds these in one line
		}
		got, found := nodeip.ConfigArgs([]string{nodeip.Render(nodeip.Kubeadm, "192.0.2.10", args)})
		if want := args + " --node-ip=192.0.2.10"; !found || got != want {
			t.Errorf("%q reads as %q", want, got)
		}
	})
}
