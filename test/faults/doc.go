// Package faults breaks runs of the real program at every place where they touch the host,
// and holds the host afterwards against what is promised: kills, errors of the kernel,
// power cuts and hostile surroundings. It is tests only.
//
// Each sweep says how much it tried, in a line that begins with "==> ", which hack/tiers
// shows. HOSTPROFILE_FAULTS_LONG=1 plays the long form of all of them; see
// docs/reliability.md for what they have found.
package faults
