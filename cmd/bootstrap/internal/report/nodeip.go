package report

import (
	"strings"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// NodeIP tells people what lies behind the address of a node: with a problem, or when
// they ask, all addresses of the host with what the rules make of them.
func NodeIP(v View, r *hostops.NodeIPReport, explain bool) string {
	v.Warnings = NodeIPWarnings(r)
	if explain && r.Source != nodeip.FromDetection {
		for _, note := range r.Detection.Notes {
			v.Warnings = append(v.Warnings, document.Message{Message: note})
		}
	}
	if !explain && r.Problem == nil {
		return v.Warning()
	}
	text := blocks(v.origin(r), v.candidates(r), v.Warning())
	if r.Problem != nil {
		text += "\n" // the problem comes after it
	}
	return text
}

// NodeIPWarnings are what a person should know about a decision.
func NodeIPWarnings(r *hostops.NodeIPReport) []document.Message {
	if r == nil {
		return nil
	}
	var out []document.Message
	for _, w := range r.Warnings {
		out = append(out, document.Message{Reason: string(w.Reason), Key: string(nodeip.Key), Message: w.Message, Fix: w.Fix})
	}
	return out
}

// Reload says what a changed part of the kubelet's unit still needs: no kubelet is
// restarted by us, and systemd is told only where it is the init that runs.
func Reload(r *item.Report, systemd bool) []document.Message {
	f, _ := nodeip.FileOf(nodeip.Kubeadm)
	for res := range r.All() {
		changed := res.Outcome == item.Changed || res.Outcome == item.Restored
		if changed && res.Key.Kind() == item.File && res.Key.Path() == f.Path {
			m := document.Message{
				Key: string(res.Key), Message: "the kubelet learns of " + f.Path + " when it is started the next time",
				Fix: "systemctl restart kubelet, if it runs already",
			}
			if !systemd {
				m.Fix = "systemctl daemon-reload, before it is"
			}
			return []document.Message{m}
		}
	}
	return nil
}

// origin says where the address comes from.
func (v *View) origin(r *hostops.NodeIPReport) string {
	if r.Problem != nil {
		return ""
	}
	text := r.IP + ": " + sourceWord(r)
	if links := strings.Join(unique(r.Links), ", "); links != "" {
		text += ", on " + links
	}
	return layout.Paragraph(text+".", 2) + "\n"
}

// sourceWord says in words where an address comes from.
func sourceWord(r *hostops.NodeIPReport) string {
	switch r.Source {
	case nodeip.FromState:
		return "saved on this host (" + string(r.Saved.Source) + ")"
	case nodeip.FromNode:
		return "adopted from the kubelet of this host"
	case nodeip.FromFlag:
		return "named by --node-ip"
	case nodeip.FromProfile:
		return "named by nodeIP.address of " + r.Profile
	case nodeip.FromEnvironment:
		return "named by NODE_IP"
	default:
		return "detected"
	}
}

// standingNodeIP is the address in the summary of a status.
func standingNodeIP(r *hostops.NodeIPReport) string {
	switch {
	case r == nil || r.Saved == nil:
		return ""
	case r.Problem != nil:
		return r.Saved.IP + ", which is not right: see above"
	default:
		return strings.TrimSuffix(r.Saved.IP+" on "+strings.Join(unique(r.Links), ", "), " on ") + ", " + sourceWord(r)
	}
}

// unique leaves out empty names and repeated ones.
func unique(list []string) []string {
	var out []string
	for i, s := range list {
		if s != "" && (i == 0 || s != list[i-1]) {
			out = append(out, s)
		}
	}
	return out
}

func (v *View) candidates(r *hostops.NodeIPReport) string {
	t := layout.Table{Caps: []int{24, 15, 18, 60}}
	for i := range r.Detection.Candidates {
		c := &r.Detection.Candidates[i]
		t.Row(layout.Text(c.Address.String()), layout.Text(c.Link), verdict(c.Verdict), layout.Text(c.Why))
	}
	if t.Empty() {
		return "This host has no address.\n"
	}
	return t.Render(v.Painter)
}

func verdict(v nodeip.Verdict) layout.Cell {
	switch v {
	case nodeip.Chosen:
		return layout.Cell{Text: string(v), Colour: layout.Good}
	case nodeip.Contender:
		return layout.Cell{Text: string(v), Colour: layout.Bad}
	default:
		return layout.Cell{Text: string(v), Colour: layout.Faint}
	}
}

// Candidate is an address of the host in a document.
type Candidate struct {
	Address   string `json:"address"`
	Interface string `json:"interface"`
	Verdict   string `json:"verdict"`
	Message   string `json:"message"`
}

// NodeAddress is the summary of node-ip.
type NodeAddress struct {
	NodeIP     string      `json:"nodeIP"` // empty if there is none
	Source     string      `json:"source,omitempty"`
	Interfaces []string    `json:"interfaces"`
	Detected   string      `json:"detected"` // what the rules choose now, used or not
	Notes      []string    `json:"notes"`
	Candidates []Candidate `json:"candidates"`
}

// OfNodeIP is the document of node-ip.
func OfNodeIP(v View, r *hostops.NodeIPReport) document.Document {
	d := document.New(document.Report, "node-ip", v.Host)
	d.Warnings = append(d.Warnings, NodeIPWarnings(r)...)
	sum := NodeAddress{
		Interfaces: append([]string{}, unique(r.Links)...), Detected: r.Detection.String(),
		Notes: append([]string{}, r.Detection.Notes...), Candidates: []Candidate{},
	}
	if r.Problem == nil {
		sum.NodeIP, sum.Source = r.IP, string(r.Source)
	}
	for i := range r.Detection.Candidates {
		c := &r.Detection.Candidates[i]
		sum.Candidates = append(sum.Candidates, Candidate{c.Address.String(), c.Link, string(c.Verdict), c.Why})
	}
	d.Summary = sum
	return d
}
