package main

import (
	"errors"
	"log/slog"

	"github.com/spf13/cobra"
)

// The ports of the agent are on loopback: what it says is for the node's own scraper and
// kubelet. They are clear of those of kubelet, kube-proxy, Cilium and node-exporter.
const (
	metricsAddress = "127.0.0.1:9469"
	healthAddress  = "127.0.0.1:9470"
)

const agentLong = `agent keeps the host of one node as the HostProfiles of the cluster say, over what
bootstrap was given on the host. What was last accepted is on the host, and is kept in
force without an API server.`

// agentFlags are the flags of the agent.
type agentFlags struct {
	node, kubeconfig, host string
	metrics, health        string
}

func tree(log *slog.Logger, node string) *cobra.Command {
	root := &cobra.Command{
		Use: "manager", Short: "Keep the hosts of a cluster as HostProfiles say", Version: version(),
		SilenceErrors: true, SilenceUsage: true,
	}
	root.AddCommand(agentCommand(log, node))
	return root
}

func agentCommand(log *slog.Logger, node string) *cobra.Command {
	var f agentFlags
	c := &cobra.Command{
		Use: "agent", Short: "Keep the host of one node", Long: agentLong, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.node == "" {
				return errors.New("--node-name is missing, and NODE_NAME is not set; in a DaemonSet it is the field spec.nodeName")
			}
			return runAgent(cmd.Context(), f, log)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.node, "node-name", node, "name of this host's Node object")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "file that says how to reach the API server; without it, that of the cluster that the agent runs in")
	flags.StringVar(&f.host, "host", "/host", "folder that holds the host's file system")
	flags.StringVar(&f.metrics, "metrics-bind", metricsAddress, "address of /metrics, empty for none")
	flags.StringVar(&f.health, "health-bind", healthAddress, "address of /healthz and /readyz, empty for none")
	return c
}
