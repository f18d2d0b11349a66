package machine

// Machine is one host: all that can be asked of it and done to it.
type Machine struct {
	Files    Files
	Locks    Locks
	Proc     Proc
	Kernel   Kernel
	Mounts   Mounts
	Network  Network
	Firewall Firewall
	Units    Units
	Programs Programs
	SELinux  SELinux
	Clock    Clock
}
