package main

import "time"

// tiers are all tiers, cheapest first. What is slow to build is built in its own tier, so
// that the budgets of the others are about testing.
func tiers() []tier {
	return []tier{
		{name: "build", budget: 20 * time.Minute, steps: []step{
			{name: "product", argv: []string{"make", "--no-print-directory", "build"}},
			{name: "tools", argv: []string{"make", "--no-print-directory", "tools"}},
			{name: "images", argv: []string{"go", "run", "./hack/testbed", "images", "all"}},
		}},
		{name: "check", budget: 6 * time.Minute, steps: []step{
			{name: "check", argv: []string{"make", "--no-print-directory", "check"}},
		}},
		{name: "unit", budget: 6 * time.Minute, steps: []step{
			{name: "unit, fuzz seeds and the real kernel in a namespace", test: true,
				argv: goTest("-short", "-race", "./api/...", "./cmd/...", "./config/...", "./hack/...", "./hostops/...")},
			{name: "the program as it is shipped", test: true, argv: goTest("-run", "TheProgram|TheExitCode", "./cmd/bootstrap")},
		}},
		{name: "container", budget: 12 * time.Minute, steps: []step{
			{name: "sandbox and containers", test: true, argv: goTest("-run", "Sandbox|Container|Root|Packages|Cache", "./test/testbed/...")},
			{name: "stories", test: true, argv: goTest("./test/host/...")},
		}},
		{name: "vm", budget: 12 * time.Minute, steps: []step{
			{name: "stories", test: true, argv: goTest("./test/vm/...")},
		}},
	}
}

func goTest(args ...string) []string {
	return append([]string{"go", "test", "-json", "-count=1", "-timeout=20m"}, args...)
}
