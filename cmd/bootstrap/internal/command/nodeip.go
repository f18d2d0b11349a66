package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

const nodeIPLong = `node-ip says which address of this host is that of its node, and prints nothing else on
the standard output: the IPv4 address, or v4,v6. It writes nothing to the host; 'up' with a
profile that has a section nodeIP keeps the address and tells the kubelet.

The first of these that names an address counts, as it is:

  --node-ip     on the command line
  saved         what 'up' chose on this host before, or the address of a kubelet that
                runs here already
  profile       nodeIP.address
  NODE_IP       in the environment
  detection     by the default route of the table main; without one, the only address
                that the host has

Detection looks at links, addresses and routes. It sends no packet and asks no server.
Addresses that cannot be told apart are no answer: node-ip then ends with 1 and lists
them. --explain lists all addresses of the host, and what the rules make of each, on the
standard error.` + inputHelp

const nodeIPExample = `  bootstrap node-ip
  bootstrap node-ip -f site.yaml --explain
  kubelet --node-ip="$(bootstrap node-ip)"
  bootstrap node-ip -o kubeadm >> join.yaml           # for kubeadm join --config`

// nodeIPFlags are what a command line says about the address of the node.
type nodeIPFlags struct {
	address string
	move    bool
	wait    time.Duration
	waits   *pflag.Flag
}

func (s *session) nodeIPFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.nodeIP.address, "node-ip", "", "the `ADDRESS` of the node: v4, or v4,v6")
}

func (s *session) moveFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.nodeIP.move, "move-node-ip", false, "let --node-ip replace the address that this host is a node by")
}

// nodeIPOptions are those of the host.
func (s *session) nodeIPOptions() hostops.NodeIPOptions {
	o := hostops.NodeIPOptions{Address: s.nodeIP.address, Move: s.nodeIP.move, Environment: s.env.Getenv("NODE_IP")}
	if f := s.nodeIP.waits; f != nil && f.Changed {
		o.Wait = &s.nodeIP.wait
	}
	return o
}

// checkNodeIPFlags refuses a command line before the host is looked at.
func (s *session) checkNodeIPFlags() error {
	if s.nodeIP.address == "" {
		if s.nodeIP.move {
			return exit.BadUsage("--move-node-ip moves the node to an address that you name", "add --node-ip ADDRESS")
		}
		return nil
	}
	if _, err := nodeip.Parse(s.nodeIP.address); err != nil {
		return exit.BadUsage("--node-ip: "+err.Error(), "see: bootstrap node-ip --explain")
	}
	return nil
}

func (s *session) nodeIPCommand() *cobra.Command {
	var explain, kubeadm bool
	cmd := &cobra.Command{
		Use: "node-ip [-f FILE]... [--profile NAME]...", Short: "Which address is the node's? Prints it",
		GroupID: look, Long: nodeIPLong, Example: nodeIPExample, Args: noArguments,
		RunE: s.do("node-ip", func(ctx context.Context, _ []string) (*answer, error) { return s.chooseNodeIP(ctx, explain, kubeadm) }),
	}
	f := cmd.Flags()
	f.VarP(&kubeadmFlag{formatFlag{&s.format}, &kubeadm}, "output", "o", "how to write the result: text, json, yaml, or kubeadm for a part of its configuration")
	f.BoolVar(&explain, "explain", false, "list all addresses, and what the rules make of them, on the standard error")
	f.DurationVar(&s.nodeIP.wait, "wait", nodeip.DefaultWait, "a `DURATION`, such as 5s, to wait for an address; the default is what the profile says, or this")
	s.nodeIP.waits = f.Lookup("wait")
	s.nodeIPFlag(cmd)
	s.inputFlags(cmd)
	formats := append(document.Formats(), "kubeadm")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// chooseNodeIP has the address as its result, alone, so that it can be used as an
// argument. All else goes to people.
func (s *session) chooseNodeIP(ctx context.Context, explain, kubeadm bool) (*answer, error) {
	if err := s.checkNodeIPFlags(); err != nil {
		return nil, err
	}
	o, err := s.ready(ctx)
	if err != nil {
		return nil, err
	}
	r, err := o.NodeIP(ctx, o.given)
	if err != nil {
		return nil, notRefused(err)
	}
	v := s.view(nil)
	a := &answer{document: report.OfNodeIP(v, &r)}
	if s.format == document.Text && !s.quiet {
		v.Painter = s.painter(s.env.Terminal.Err)
		fmt.Fprint(s.env.Stderr, report.NodeIP(v, &r, explain))
	}
	if p := r.Problem; p != nil {
		return a, &exit.Failure{Code: exit.Failed, Reason: string(p.Reason), Message: p.Message, Fix: p.Fix}
	}
	a.text = r.IP + "\n"
	if kubeadm {
		a.text = nodeip.KubeadmConfig(r.IP)
	}
	return a, nil
}

// notRefused: a command that only looks has failed, where one that changes refuses.
func notRefused(err error) error {
	var refused *hostops.RefusedError
	if !errors.As(err, &refused) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	return &exit.Failure{Code: exit.Failed, Reason: string(refused.Reason), Message: refused.Error(), Fix: refused.Fix, Err: err}
}

// kubeadmFlag is --output with one more word. It implements pflag.Value.
type kubeadmFlag struct {
	formatFlag
	kubeadm *bool
}

// Set implements pflag.Value.
func (f *kubeadmFlag) Set(text string) error {
	if *f.kubeadm = text == "kubeadm"; *f.kubeadm {
		text = string(document.Text)
	}
	if err := f.formatFlag.Set(text); err != nil {
		return fmt.Errorf("%w, kubeadm", err)
	}
	return nil
}
