// Package keep is the loop that keeps a host as it should be, whoever decides how that is:
// the agent, which asks a cluster, and the unit of the host, which asks nobody.
//
// Whatever happens rings one bell, and the loop does the same thing each time. The package
// owns the bell, the loop, and the memory of what others change: what somebody fights for
// is repaired less and less often, in both programs by the same rules.
package keep
