package firewalld

import (
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
)

// Trusted is the zone that accepts everything.
const Trusted = "trusted"

// Default stands in a wish for the zone that is the default one of the host.
const Default = "default"

// The second element of a key.
const (
	runtime         = "runtime"
	permanent       = "permanent"
	runtimeSource   = "runtime-source"
	permanentSource = "permanent-source"
	zoneFile        = "file"
)

// Keys returns the items of an interface in a zone: the one at run time and the
// permanent one. A trailing "*" is a wildcard, which firewalld spells "+".
func Keys(zone, iface string) []item.Key {
	name := zone + "/" + Spell(iface)
	return []item.Key{item.NewKey(item.Firewalld, runtime+"/"+name), item.NewKey(item.Firewalld, permanent+"/"+name)}
}

// Spell returns an interface's name or wildcard as firewalld spells it.
func Spell(iface string) string {
	if prefix, ok := strings.CutSuffix(iface, "*"); ok {
		return prefix + "+"
	}
	return iface
}

// Ref is what a key is about: a binding, or the file of a zone.
type Ref struct {
	Zone    string
	Binding machine.Binding // zero for a file
	File    bool
}

// Parse takes a key apart; ok is false for one that is not of this package's form.
func Parse(k item.Key) (r Ref, ok bool) {
	where, rest, _ := strings.Cut(k.Name(), "/")
	zone, name, bound := strings.Cut(rest, "/")
	r.Zone = zone
	switch where {
	case zoneFile:
		r.File, ok = true, !bound
	case runtime, permanent, runtimeSource, permanentSource:
		r.Binding = machine.Binding{
			Name: name, Permanent: strings.HasPrefix(where, permanent), Source: strings.HasSuffix(where, "source"),
		}
		ok = bound && name != ""
	}
	return r, ok && zone != "" && k.Kind() == item.Firewalld
}

// Key is the reverse of Parse.
func (r Ref) Key() item.Key {
	if r.File {
		return item.NewKey(item.Firewalld, zoneFile+"/"+r.Zone)
	}
	where := runtime
	if r.Binding.Permanent {
		where = permanent
	}
	if r.Binding.Source {
		where += "-source"
	}
	return item.NewKey(item.Firewalld, where+"/"+r.Zone+"/"+r.Binding.Name)
}

// fileKey is the item of a zone's file.
func fileKey(zone string) item.Key { return Ref{Zone: zone, File: true}.Key() }

// IsZoneFile reports whether an item is what stood in the file of a zone: nobody's wish,
// and recorded so that it can be given back.
func IsZoneFile(k item.Key) bool {
	r, ok := Parse(k)
	return ok && r.File
}

// FilesOf are the files of firewalld's that may be written here for an item.
func FilesOf(k item.Key) []string {
	r, ok := Parse(k)
	if !ok || !r.File {
		return nil
	}
	return []string{zonefile.Path(r.Zone), zonefile.Backup(r.Zone)}
}

// command is what a person types for a binding: a verb such as "add", "change" or "remove".
func (r Ref) command(verb string) string {
	c := "firewall-cmd"
	if r.Binding.Permanent {
		c += " --permanent"
	}
	noun := "interface"
	if r.Binding.Source {
		noun = "source"
	}
	return c + " --zone=" + r.Zone + " --" + verb + "-" + noun + "=" + r.Binding.Name
}

// Shadows reports whether a name is bound by itself although one of the wildcards means it.
func Shadows(name string, wildcards []string) bool {
	return slices.ContainsFunc(wildcards, func(w string) bool { return w != name && matches(w, name) })
}

// matches reports whether an interface is meant by a name or wildcard.
func matches(pattern, iface string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "+"); ok {
		return strings.HasPrefix(iface, prefix)
	}
	return pattern == iface
}
