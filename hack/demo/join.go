package main

import (
	"context"
	"fmt"
	"net"
	"strconv"

	"github.com/hostprofile/hostprofile/test/testbed"
)

const (
	agentUnit       = "hostprofile-agent"
	agentKubeconfig = "/run/hostprofile-agent.kubeconfig"
)

// join makes the host a Node of the cluster and starts the agent on it.
func (s *story) join(ctx context.Context) error {
	s.say("A cluster appears: give it the kinds, the agent's account with its role, and the DaemonSet")
	if err := s.kubectl(ctx, words{"hostprofiles.hostprofile.io", "hostprofilestatuses.hostprofile.io"},
		"apply", "--server-side", "-k", "config/crd"); err != nil {
		return err
	}
	if err := s.kubectl(ctx, words{"clusterrole.rbac", "daemonset.apps/hostprofile-agent"},
		"apply", "--server-side", "-k", "config/daemonset"); err != nil {
		return err
	}
	s.say("The host joins. No kubelet runs here, nor a controller: the demo makes the Node, and starts the agent that the DaemonSet would")
	node := fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata:\n  name: %s\n", s.host.Name())
	if err := s.feed(ctx, node, words{"created"}, "create", "-f", "-"); err != nil {
		return err
	}
	if err := s.startAgent(ctx); err != nil {
		return err
	}
	return s.ready(ctx)
}

// startAgent starts the agent with the rights of its service account, and no others.
func (s *story) startAgent(ctx context.Context) error {
	port, err := s.plane.Port()
	if err != nil {
		return err
	}
	address := net.JoinHostPort(testbed.Outside, strconv.Itoa(port))
	file, err := s.plane.KubeconfigOfAccount(ctx, "hostprofile-system", "hostprofile-agent", address)
	if err != nil {
		return err
	}
	if err := s.host.Push(ctx, file, agentKubeconfig, 0o600); err != nil {
		return err
	}
	return s.command(ctx, 0, nil, "systemd-run", "--unit", agentUnit, "--service-type=exec",
		remoteManager, "agent", "--host", "/", "--kubeconfig", agentKubeconfig, "--node-name", s.host.Name())
}

func (s *story) stopAgent(ctx context.Context) error {
	return s.command(ctx, 0, nil, "systemctl", "stop", agentUnit)
}

// ready waits until the agent says that all of it holds.
func (s *story) ready(ctx context.Context) error {
	return s.tells(ctx, words{"True", "25/25", "AllApplied"}, "get", "hostprofile,hostprofilestatus")
}

// conditions shows the conditions on the Node, in which there are to be some words.
func (s *story) conditions(ctx context.Context, want words) error {
	return s.tells(ctx, want, "get", "node", s.host.Name(), "-o",
		`jsonpath={range .status.conditions[*]}{.type}={.status} {.reason}: {.message}{"\n"}{end}`)
}
