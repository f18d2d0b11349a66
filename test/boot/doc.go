// Package boot holds the stories of a host that boots: what is right before kubelet starts,
// what keeps kubelet waiting and who says so, and what becomes of hostprofile.service when
// it is killed. It is tests only.
//
// The stories of the container need a systemd and no kernel of their own; those of the
// virtual machine are told on one machine, one after the other. A stand-in for kubelet
// writes down what it finds as it starts.
package boot
