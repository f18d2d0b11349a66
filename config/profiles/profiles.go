// Package profiles holds the HostProfiles that come with the product: the YAML files of
// its folder builtin, embedded for hosts without a cluster. A cluster gets them with
// kubectl apply -k config/profiles/plan, which shows what they would change, and then with
// kubectl apply -k config/profiles, which enforces them.
//
// It hands out text. Reading it is the business of whoever reads the user's own files, so
// that a built-in profile has no way of its own.
package profiles

import (
	"embed"
	"slices"
)

//go:embed builtin/kubernetes.yaml builtin/kubelet-defaults.yaml builtin/cilium.yaml
var files embed.FS

// Builtin is a profile that comes with the product.
type Builtin struct {
	// Name is the name of the HostProfile, and of its file without the ending.
	Name string
	// Aliases are other names to ask for it.
	Aliases []string
	// Summary says in one line what it is for.
	Summary string
	// YAML is one HostProfile document.
	YAML []byte
}

// All returns every built-in profile, the one with the lowest priority first.
func All() []Builtin {
	return []Builtin{
		builtin("kubernetes", "what every Kubernetes node needs: forwarding, bridge filtering, inotify limits, no swap, mounts and directories"),
		builtin("kubelet-defaults", "the kernel settings that the kubelet checks with protectKernelDefaults", "cis"),
		builtin("cilium", "no reverse path filter on the interfaces of Cilium, and firewalld's trust in them"),
	}
}

// Get returns the built-in profile with this name or alias. It is false when there is none.
func Get(name string) (Builtin, bool) {
	for _, b := range All() {
		if b.Name == name || slices.Contains(b.Aliases, name) {
			return b, true
		}
	}
	return Builtin{}, false
}

// Names returns every name that Get knows, aliases included.
func Names() []string {
	var names []string
	for _, b := range All() {
		names = append(append(names, b.Name), b.Aliases...)
	}
	return names
}

func builtin(name, summary string, aliases ...string) Builtin {
	text, err := files.ReadFile("builtin/" + name + ".yaml")
	if err != nil {
		panic(err) // the file is embedded: a name without one does not get past the first test
	}
	return Builtin{Name: name, Aliases: aliases, Summary: summary, YAML: text}
}
