package exit

// Code is the exit code of the program.
type Code int

// The exit codes. Scripts rely on them: a number never changes its meaning.
const (
	OK          Code = 0   // done, or nothing to do
	Failed      Code = 1   // something failed or does not hold
	Usage       Code = 2   // wrong usage or invalid input; nothing was changed
	Refused     Code = 3   // refused, or nothing is managed here; the host is untouched
	Changes     Code = 4   // plan --exit-code: there are changes
	Busy        Code = 75  // another run holds the lock
	NotRoot     Code = 77  // only root may do this
	Interrupted Code = 130 // a signal ended the run
)

// Meaning is an exit code in words.
type Meaning struct {
	Code Code
	Text string
}

// Meanings lists every exit code with its meaning, in ascending order.
func Meanings() []Meaning {
	return []Meaning{
		{OK, "Done, or there was nothing to do."},
		{Failed, "Something failed or does not hold. The output names it; all else is in force."},
		{Usage, "Wrong usage or invalid input. Nothing was changed."},
		{Refused, "Refused, and the host is untouched: the record of what was changed is lost or of\na newer version, the address of this node is gone or is to become another one, the\nkernel is too old, SELinux does not know containers, an image is to be made of what was\na host, nothing is managed here, or the question was answered with no."},
		{Changes, "Only with 'plan --exit-code': up would change something."},
		{Busy, "Another run holds the lock of this host. The message names it; see --lock-timeout."},
		{NotRoot, "Only root may do this, or read this."},
		{Interrupted, "Interrupted by a signal, after the stage that was running. Run it again to go on."},
	}
}

// Untouched reports whether a run that ends with this code changed nothing.
func (c Code) Untouched() bool {
	return c == Usage || c == Refused || c == Busy || c == NotRoot
}
