package main

import "time"

// tiers are all tiers, cheapest first. What is slow to build is built in its own tier, so
// that the budgets of the others are about testing.
func tiers() []tier {
	return []tier{
		{name: "build", budget: 20 * time.Minute, steps: []step{
			{name: "product", argv: []string{"make", "--no-print-directory", "build"}},
			{name: "tools", argv: []string{"make", "--no-print-directory", "tools"}},
			{name: "control plane", argv: []string{"go", "run", "./hack/controlplane", "build"}},
			{name: "images", root: true, argv: []string{"go", "run", "./hack/testbed", "images", "all"}},
		}},
		{name: "check", budget: 4 * time.Minute, steps: []step{
			{name: "check", argv: []string{"make", "--no-print-directory", "check"}},
		}},
		{name: "unit", budget: 8 * time.Minute, steps: []step{
			{name: "unit, fuzz seeds and the real kernel in a namespace", test: true,
				argv: goTest("-short", "-race", "./api/...", "./cmd/...", "./config/...", "./hack/...", "./hostops/...", "./test/bench/results")},
			{name: "a real API server", test: true, argv: goTest("./test/assets/...", "./test/envtest/...")},
			{name: "the program as it is shipped", test: true, argv: goTest("-run", "TheProgram|TheExitCode", "./cmd/bootstrap")},
		}},
		{name: "container", budget: 12 * time.Minute, steps: []step{
			{name: "the testbed itself", test: true, argv: goTest("./test/testbed/...")},
			{name: "stories", test: true, argv: goTest("./test/host/...")},
			{name: "the readers of sysctl.d, by chance", test: true, argv: goTest("-run", "PairsAreRead", "./hostops/sysctl")},
			{name: "firewalld, with both backends", test: true, argv: goTest("./test/firewalld/...")},
			{name: "boots, the gate of kubelet and images", test: true, argv: goTest("./test/boot/...")},
			{name: "deb and rpm", test: true, argv: goTest("./test/packages/...")},
			{name: "the contracts of firewalld and systemd", test: true, argv: goTest("-run", "Firewalld|Impostor|SilentBus|RealSystemd|SilentSystemd", "./hostops/machine/linux")},
			{name: "the kernel's contract", test: true, argv: goTest("-run", "InAVM", "./hostops/machine/linux")},
			{name: "the node's address on every kind of link", test: true, argv: goTest("-run", "InAVM", "./hostops/nodeip")},
		}},
		{name: "faults", budget: 10 * time.Minute, steps: []step{
			{name: "sweeps", test: true, root: true, argv: goTest("./test/faults/...")},
			// 25 kills each of up and of down, with the swap and the kernel that sandboxes
			// do not have; alone, the test plays 50 each.
			{name: "kills in a VM", test: true, argv: goTest("-run", "^TestKills$", "./test/vm/...", "-args", "-kill.rounds=25")},
		}},
		{name: "vm", budget: 12 * time.Minute, steps: []step{
			{name: "stories", test: true, argv: goTest("-skip", "^(TestKills|TestSELinux|TestHostsWithoutSystemd)$", "./test/vm/...")},
		}},
		{name: "hosts", budget: 12 * time.Minute, steps: []step{
			{name: "SELinux, sysvinit and OpenRC", test: true, argv: goTest("-run", "^(TestSELinux|TestHostsWithoutSystemd)$", "./test/vm/...")},
		}},
		{name: "benchmark", budget: 5 * time.Minute, steps: []step{
			{name: "few rounds of each", root: true, argv: []string{"make", "--no-print-directory", "bench-rows", "ROUNDS=2"}},
		}},
	}
}

func goTest(args ...string) []string {
	return append([]string{"go", "test", "-json", "-count=1", "-timeout=20m"}, args...)
}
