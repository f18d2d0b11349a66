package command_test

import (
	"strings"
	"testing"
)

func TestAHardeningFileThatSaysForwardingOffIsNamedBeforeAnyChange(t *testing.T) {
	w := newWorld(t)
	w.host.PutFile("/etc/sysctl.d/60-cis.conf", "# CIS 3.1.1\nnet.ipv4.ip_forward = 0\n")
	w.host.PutFile("/usr/lib/sysctl.d/zzz-vendor.conf", "kernel.panic = 0\n")
	flags := []string{"--profile", "kubernetes", "--profile", "cis"}
	golden(t, "overridden-plan.txt", w.must(0, with("plan", flags...)...))
	golden(t, "overridden-plan.json", w.must(0, with("plan", append(flags, "-o", "json")...)...))
	golden(t, "overridden-check.txt", w.must(1, with("check", flags...)...)) // no cgroups here
	golden(t, "overridden-up.txt", w.must(0, with("up", flags...)...))
}

func TestTheFileThatUndidASettingIsBlamed(t *testing.T) {
	w := newWorld(t)
	w.host.PutFile("/etc/sysctl.d/zzz-site.conf", "# site\n\nkernel.panic = 0\n")
	w.must(0, "up", "--profile", "cis")
	golden(t, "overridden-right.txt", w.must(0, "status"))
	w.host.Reboot()
	golden(t, "overridden-wrong.txt", w.must(1, "status"))
	items := w.must(1, "status", "-o", "json").document(t)["items"].([]any)
	for _, i := range items {
		i := i.(map[string]any)
		if i["key"] != "sysctl/kernel.panic" {
			continue
		}
		source := i["source"].(map[string]any)
		if i["reason"] != "OverriddenByFile" || source["file"] != "/etc/sysctl.d/zzz-site.conf" || source["line"] != 3.0 {
			t.Errorf("%v", i)
		}
		return
	}
	t.Error("no kernel.panic")
}

func TestSysctlConfIsReadLastByOneReaderOnly(t *testing.T) {
	w := newWorld(t)
	w.host.PutFile("/etc/sysctl.conf", "net.ipv4.ip_forward=0\n")
	a := w.must(0, "plan", "--profile", "kubernetes")
	if !strings.Contains(strings.Join(strings.Fields(a.stdout), " "), "/etc/sysctl.conf:1 sets net.ipv4.ip_forward = 0, want 1; it wins over our file at boot where 'sysctl --system' reads it") {
		t.Errorf("%s", a.stdout)
	}
}

func TestALineThatTwoReadersTakeDifferentlyIsToldOnce(t *testing.T) {
	w := newWorld(t)
	w.host.PutFile("/etc/sysctl.conf", "net.ipv4.ip_forward=0\n")
	w.host.PutLink("/etc/sysctl.d/99-sysctl.conf", "../sysctl.conf") // as distributions have it
	warnings := w.must(0, "plan", "--profile", "kubernetes", "-o", "json").document(t)["warnings"].([]any)
	if len(warnings) != 1 || !strings.Contains(warnings[0].(map[string]any)["message"].(string), "wins over our file") {
		t.Errorf("%v", warnings)
	}
}
