package report

import (
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
)

// Managed are the warnings about trusted interfaces that NetworkManager manages too.
func Managed(managed []firewalld.Managed) []document.Message {
	var out []document.Message
	for i := range managed {
		m := &managed[i]
		out = append(out, document.Message{Reason: string(firewalld.ManagedByNetworkManager), Message: m.Message(), Fix: m.Fix()})
	}
	return out
}

// binding names what a result binds, whatever the configuration: both are one line where
// they go the same way.
func binding(r *item.Result) string {
	ref, ok := firewalld.Parse(r.Key)
	if !ok || ref.File {
		return ""
	}
	return ref.Zone + "/" + ref.Binding.Name
}

// ownPath is the path of a file that only comes along with settings: one that we write,
// or that firewalld writes because of us.
func (e *Entry) ownPath() string {
	if ref, ok := firewalld.Parse(e.Key); ok && ref.File {
		return zonefile.Path(ref.Zone)
	}
	if e.Key.Kind() == item.File {
		return e.Key.Path()
	}
	return ""
}

// boundWord is a change of a binding.
func boundWord(from, to item.State) string {
	switch {
	case from == item.Absent:
		return "bind"
	case to == item.Absent:
		return "take out"
	default:
		return "in zone " + text(from)
	}
}

// skipped says why an entry is skipped.
func (e *Entry) skipped() string {
	if e.Key.Kind() == item.Firewalld {
		return e.Message
	}
	return "not on this host"
}
