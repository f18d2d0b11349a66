package main

import (
	"fmt"
	"time"
)

// tiers are all tiers, cheapest first, and at the end those that are long. What is slow to
// build is built in its own tier, so that the budgets of the others are about testing.
func tiers() []tier {
	return []tier{
		{name: "build", budget: 20 * time.Minute, steps: []step{
			{name: "product", argv: []string{"make", "--no-print-directory", "build"}},
			{name: "tools", argv: []string{"make", "--no-print-directory", "tools"}},
			{name: "with the race detector", argv: []string{"go", "build", "-race", "./..."}},
			{name: "control plane", argv: []string{"go", "run", "./hack/controlplane", "build"}},
			{name: "images", root: true, argv: []string{"go", "run", "./hack/testbed", "images", "all"}},
		}},
		{name: "check", budget: 4 * time.Minute, steps: []step{
			{name: "check", argv: []string{"make", "--no-print-directory", "check"}},
		}},
		{name: "unit", budget: 8 * time.Minute, steps: []step{
			{name: "unit, fuzz seeds and the real kernel in a namespace", test: true,
				argv: goTest("-short", "-race", "./api/...", "./cmd/...", "./config/...", "./controllers/...", "./hack/...", "./hostops/...", "./test/bench/results", "./test/snapshot", "./test/strace")},
			{name: "a real API server", test: true, argv: goTest("./test/assets/...", "./test/envtest/...")},
			{name: "the program as it is shipped", test: true, argv: goTest("-run", "TheProgram|TheExitCode", "./cmd/bootstrap")},
		}},
		{name: "container", budget: 12 * time.Minute, steps: []step{
			{name: "the testbed itself", test: true, argv: goTest("./test/testbed/...")},
			{name: "stories", test: true, argv: goTest("./test/host/...")},
			{name: "the readers of sysctl.d, by chance", test: true, argv: goTest("-run", "PairsAreRead", "./hostops/sysctl")},
			{name: "firewalld, with both backends", test: true, argv: goTest("./test/firewalld/...")},
			{name: "a boot's unit, the gate of kubelet and images", test: true, argv: goTest("-run", "InAContainer", "./test/boot/...")},
			{name: "deb and rpm", test: true, argv: goTest("./test/packages/...")},
			{name: "the contracts of firewalld and systemd", test: true, argv: goTest("-run", contracts, "./hostops/machine/linux")},
			{name: "the kernel's contract", test: true, argv: goTest("-run", "InAVM", "./hostops/machine/linux")},
			{name: "the node's address on every kind of link", test: true, argv: goTest("-run", "InAVM", "./hostops/nodeip")},
		}},
		{name: "faults", budget: 10 * time.Minute, steps: []step{
			{name: "sweeps", test: true, root: true, argv: goTest("./test/faults/...")},
			// 20 kills each of up and of down, with the swap and the kernel that sandboxes
			// do not have; alone, the test plays 50 each.
			{name: "kills in a VM", test: true, argv: goTest("-run", "^TestKills$", "./test/vm/...", "-args", "-kill.rounds=20")},
		}},
		{name: "vm", budget: 12 * time.Minute, steps: []step{
			{name: "stories, and hosts without systemd", test: true, argv: goTest("-skip", "^(TestKills|TestSELinux)$", "./test/vm/...")},
		}},
		{name: "hosts", budget: 12 * time.Minute, steps: []step{
			{name: "SELinux", test: true, argv: goTest("-run", "^TestSELinux$", "./test/vm/...")},
			{name: "boots, and an image", test: true, argv: goTest("-run", "InAVM", "./test/boot/...")},
		}},
		{name: "benchmark", budget: 5 * time.Minute, steps: []step{
			{name: "seven rounds of each", root: true, argv: []string{"make", "--no-print-directory", "bench-rows", "ROUNDS=7"}},
		}},
		{name: "race", budget: time.Hour, long: true, steps: raceSteps()},
		{name: "soak", budget: 24 * time.Hour, long: true, steps: soakSteps()},
	}
}

// raceSteps are the tests that the unit tier does not run with the race detector. What
// watches the system calls of the program, or measures it, is left out: it would watch the
// detector's.
func raceSteps() []step {
	programs := []string{"HOSTPROFILE_RACE=1"} // the program under test has the detector, too
	return []step{
		{name: "a real API server", test: true, argv: goTest("-race", "./test/assets/...", "./test/envtest/...")},
		{name: "the testbed itself", test: true, argv: goTest("-race", "./test/testbed/...")},
		{name: "the contracts of firewalld and systemd", test: true, argv: goTest("-race", "-run", contracts, "./hostops/machine/linux")},
		{name: "the readers of sysctl.d, by chance", test: true, argv: goTest("-race", "-run", "PairsAreRead", "./hostops/sysctl")},
		{name: "firewalld", test: true, env: programs, argv: goTest("-race", "./test/firewalld/...")},
		{name: "stories", test: true, env: programs, argv: goTest("-race", "./test/host/...")},
		{name: "a boot's unit and the gate of kubelet", test: true, env: programs, argv: goTest("-race", "-run", "InAContainer", "./test/boot/...")},
	}
}

// soakSteps are the long forms: each plays what a tier plays a little of, with a seed of
// its own.
func soakSteps() []step {
	seed := fmt.Sprint(time.Now().Unix())
	return []step{
		{name: "every fault, at every call", test: true, root: true, env: []string{"HOSTPROFILE_FAULTS_LONG=1"}, argv: soakTest("./test/faults/...")},
		{name: "the engine's model", test: true, argv: soakTest("-run", "^TestModel$", "./hostops/engine", "-args", "-model.steps=10000000", "-model.seed="+seed)},
		{name: "histories of the agent", test: true, argv: soakTest("-run", "^TestTheAgentInAnyHistory$", "./controllers/agent", "-rapid.checks=100000")},
		{name: "states after a crash", test: true, argv: soakTest("-run", "^TestEveryStateThatACrashMayLeaveIsWhole$", "./hostops/atomicfile", "-args", "-crash.states=1000000", "-crash.seed="+seed)},
		{name: "the readers of sysctl.d, by chance", test: true, argv: soakTest("-run", "PairsAreRead", "./hostops/sysctl", "-args", "-pairs=100000")},
		{name: "every fuzz target", argv: []string{"go", "run", "./hack/fuzz", "-time", "60s"}},
	}
}

// contracts are the tests of what firewalld and systemd promise.
const contracts = "Firewalld|Impostor|SilentBus|RealSystemd|SilentSystemd"

func goTest(args ...string) []string {
	return append([]string{"go", "test", "-json", "-count=1", "-timeout=20m"}, args...)
}

// soakTest is a test that takes as long as it takes.
func soakTest(args ...string) []string { return append(goTest("-timeout=0"), args...) }
