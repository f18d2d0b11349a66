package testbed

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// cell is an operating system thread with namespaces of its own. A program
// started in it inherits those namespaces and is killed when the thread ends,
// even if the whole test is killed: so neither mounts nor processes can be left
// behind.
type cell struct {
	calls chan func()
	done  chan struct{}

	// enclosed is set once a pid namespace has its first process: the others
	// die with that one.
	enclosed bool
}

var errCellClosed = errors.New("the cell is closed")

// newCell makes a cell and runs the steps of its set-up in it, in order.
func newCell(steps ...func() error) (*cell, error) {
	// Go tries out pidfds once, with a child. That must not happen in a cell: in
	// a new pid namespace it would be the first process, and its end the end.
	if _, err := os.FindProcess(os.Getpid()); err != nil {
		return nil, err
	}
	c := &cell{calls: make(chan func()), done: make(chan struct{})}
	go c.serve()
	for _, step := range steps {
		if err := c.do(step); err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

// serve never unlocks its thread, so the runtime ends the thread with it. The
// process's first thread cannot be ended, so it passes the work on.
func (c *cell) serve() {
	runtime.LockOSThread()
	if unix.Gettid() == os.Getpid() {
		defer runtime.UnlockOSThread()
		locked := make(chan struct{})
		go func() {
			runtime.LockOSThread()
			close(locked)
			c.work()
		}()
		<-locked
		return
	}
	c.work()
}

func (c *cell) work() {
	defer close(c.done)
	for call := range c.calls {
		call()
	}
}

// do runs f on the cell's thread: paths mean what they mean in its namespaces.
func (c *cell) do(f func() error) error {
	result := make(chan error, 1)
	select {
	case <-c.done:
		return errCellClosed
	case c.calls <- func() { result <- f() }:
		return <-result
	}
}

// start starts cmd in the cell, as the leader of a process group of its own.
func (c *cell) start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	if !c.enclosed {
		// In a pid namespace Go takes the parent, which is outside, for dead
		// and the child kills itself. Only the first process is immune.
		cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	}
	return c.do(cmd.Start)
}

// close ends the thread and, with it, every program started in the cell. It
// must be called once, with no other call under way.
func (c *cell) close() {
	close(c.calls)
	<-c.done
}
