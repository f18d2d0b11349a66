package resident

import "github.com/hostprofile/hostprofile/hostops/keep"

// say tells everybody who listens what was found: the gate, the init system, the journal
// and, while kubelet waits, the console.
func (r *Resident) say(f *finding) {
	r.gate.Open = r.gate.Open || f.holds
	r.gate.Message = f.message
	r.keepGate(f)
	if f.message != r.status {
		r.status = f.message
		r.options.Notify("STATUS=" + f.message)
		r.write(f)
	}
	r.show(f)
	if r.gate.Open && !r.ready {
		r.becomeReady()
	}
}

// write writes down what was found.
func (r *Resident) write(f *finding) {
	switch {
	case f.idle:
		r.log.Info(f.message)
	case f.holds:
		r.log.Info(f.message, keep.EventHolds.Attr())
	case r.gate.Open:
		r.log.Warn(f.message, keep.EventUnmet.Attr())
	default:
		r.log.Warn(f.message, keep.EventWaiting.Attr())
	}
}

// Enter tells that a stage begins, as long as there is nothing else to tell: the first run of
// a boot may have minutes of swap to read back.
func (r *Resident) Enter(stage string) {
	if r.status == "" && !r.ready {
		r.options.Notify("STATUS=preparing the host: " + stage)
	}
}

// keepGate writes the gate down. On a host that was given back there is nobody to read it.
func (r *Resident) keepGate(f *finding) {
	if f.idle && (r.host.Disabled() || r.ready) {
		return
	}
	if err := r.host.SetGate(r.gate); err != nil {
		r.log.Warn("kubelet cannot be told whether it may start", "err", err)
	}
}

// show tells whoever sits in front of a host whose kubelet does not start.
func (r *Resident) show(f *finding) {
	switch {
	case !r.gate.Open && f.message != r.shown:
		r.shown = f.message
	case r.gate.Open && r.shown != "":
		r.shown = ""
	default:
		return
	}
	r.options.Console("hostprofile: " + f.message)
}

func (r *Resident) becomeReady() {
	r.ready = true
	r.options.Notify("READY=1")
}
