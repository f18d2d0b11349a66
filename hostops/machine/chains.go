package machine

// Chain is a chain of rules about packets in the kernel.
type Chain struct {
	// Legacy: it is in the older tables, which iptables-legacy writes. All other chains are
	// those of nftables, which iptables writes as well nowadays.
	Legacy bool
	// Family and Table are the kernel's words, as in "ip" and "nat".
	Family, Table string
	Name          string
}
