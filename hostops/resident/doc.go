// Package resident is the process of hostprofile.service: it brings a host at every boot,
// before kubelet, to what was last accepted on it, and repairs it afterwards while no agent
// does.
//
// It asks no API server: bootstrap's input and the profiles that the agent accepted are on
// the host. It never gives up: while something that is required does not hold, it says what
// is missing, to systemd and on the console, and tries again, later and later. systemd is
// told that it is ready, and the gate of kubelet opens, once all that is required held in
// this boot; neither is taken back before the host goes down.
//
// Before each of its own runs it tries the agent's lock, and leaves the host alone while an
// agent has it. During the run it holds that lock itself, so that the two never take turns
// with two ideas of what is wished.
//
// A host whose record cannot be read is not written to. What the boot files have set is in
// force all the same, and kubelet may start if that is all that is required.
package resident
