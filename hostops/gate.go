package hostops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// gatePoll is how often a gate that is closed is looked at.
const gatePoll = 250 * time.Millisecond

// Gate says whether a kubelet may start. It is open in a boot from the first moment at
// which all that is required held, and stays open until the host goes down: a kubelet that
// is restarted must not be kept from its pods by what drifted since.
type Gate struct {
	// BootID is the boot that it is about.
	BootID string `json:"bootID"`
	Open   bool   `json:"open"`
	// Message is what the resident said last: what is missing, or that all holds.
	Message string `json:"message"`
}

// Gate returns the gate of this boot. One that nobody has looked after is closed. What
// cannot be read is closed as well, with the reason as message.
func (h *Host) Gate() Gate {
	closed := Gate{BootID: h.facts.BootID, Message: "hostprofile.service has not looked at this host in this boot; see: systemctl status hostprofile"}
	text, err := h.machine.Files.Read(paths.Gate)
	if errors.Is(err, fs.ErrNotExist) {
		return closed
	}
	var g Gate
	if err == nil {
		err = json.Unmarshal(text, &g)
	}
	if err != nil {
		closed.Message = fmt.Sprintf("%s cannot be read: %v", paths.Gate, err)
		return closed
	}
	if g.BootID != h.facts.BootID {
		return closed
	}
	return g
}

// SetGate keeps the gate for those who ask, until the host goes down. The same is not
// written again.
func (h *Host) SetGate(g Gate) error {
	g.BootID = h.facts.BootID
	text, err := json.Marshal(g)
	if err != nil {
		return fmt.Errorf("encode the gate: %w", err)
	}
	if err := h.makeDir(paths.RunDir); err != nil {
		return err
	}
	if err := h.machine.Files.WriteVolatile(paths.Gate, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("keep the gate: %w", err)
	}
	return nil
}

// AwaitGate waits until a kubelet may start, for at most the given time, and returns the
// gate as it is then. A host that was given back holds up nobody, and neither does one on
// which somebody has switched the unit off: nobody would open the gate.
func (h *Host) AwaitGate(ctx context.Context, most time.Duration) (Gate, error) {
	clock, off := h.machine.Clock, h.unitIsOff(ctx)
	for end := clock.Now().Add(most); ; {
		g := h.Gate()
		switch {
		case h.Disabled():
			g.Open, g.Message = true, ErrDisabled.Error()
		case off && !g.Open:
			g.Open, g.Message = true, paths.Unit+" is switched off: nothing has prepared this host in this boot"
		}
		if g.Open || !clock.Now().Before(end) {
			return g, nil
		}
		if err := clock.Sleep(ctx, gatePoll); err != nil {
			return g, err
		}
	}
}

// unitIsOff reports whether systemd says that boots do not start the unit, and that it does
// not run either. A systemd that does not answer says nothing.
func (h *Host) unitIsOff(ctx context.Context) bool {
	if !h.SystemdAvailable(ctx) {
		return false
	}
	u, err := h.machine.Units.Unit(ctx, paths.Unit)
	return err == nil && u.State != machine.UnitEnabled && !u.Running
}
