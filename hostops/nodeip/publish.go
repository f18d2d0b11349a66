package nodeip

import (
	"strings"

	"github.com/hostprofile/hostprofile/hostops/paths"
)

// File is a file through which a kubelet learns the address.
type File struct {
	Path    string
	Content string
	// Parents are the folders above it that may have to be made, from the top.
	Parents []string
}

// published are the files of the ways to publish.
var published = map[Publish]File{
	EnvironmentFile: {Path: paths.NodeEnv, Parents: []string{paths.ConfigDir}},
	Kubeadm:         {Path: paths.KubeletDropIn, Parents: []string{paths.KubeletDropInDir}},
	K3s:             {Path: paths.K3sConfigDir + "/" + paths.RancherConfigName, Parents: []string{paths.RancherDir, paths.K3sDir, paths.K3sConfigDir}},
	RKE2:            {Path: paths.RKE2ConfigDir + "/" + paths.RancherConfigName, Parents: []string{paths.RancherDir, paths.RKE2Dir, paths.RKE2ConfigDir}},
}

// FileOf returns the file of a way to publish, without content; false if it has none.
func FileOf(p Publish) (File, bool) {
	f, ok := published[p]
	return f, ok
}

// Publishes lists the ways to publish that have a file.
func Publishes() []Publish { return []Publish{EnvironmentFile, Kubeadm, K3s, RKE2} }

// IsFile reports whether a path is that of a file through which we publish.
func IsFile(path string) bool {
	for _, f := range published {
		if f.Path == path {
			return true
		}
	}
	return false
}

const header = "# Written by hostprofile, and given back by 'bootstrap down'. Changes are undone.\n"

// Render returns the content of the file of a way to publish. configArgs is what the
// kubelet's unit has in KUBELET_CONFIG_ARGS without us; only Kubeadm needs it.
func Render(p Publish, ip, configArgs string) string {
	switch p {
	case EnvironmentFile:
		return header + "NODE_IP=" + ip + "\n"
	case Kubeadm:
		return kubeadmDropIn(ip, configArgs)
	default:
		return header + "node-ip: \"" + ip + "\"\n"
	}
}

// IsOurs reports whether a file that publishes an address says that we wrote it.
func IsOurs(content []byte) bool { return strings.HasPrefix(string(content), header) }

// DefaultConfigArgs is what kubeadm's unit has in KUBELET_CONFIG_ARGS, in every version.
const DefaultConfigArgs = "--config=/var/lib/kubelet/config.yaml"

// kubeadmDropIn adds the address to a variable that stands on kubeadm's command line
// before those that people set: of a flag that is there twice, the kubelet takes the
// last. KUBELET_EXTRA_ARGS itself would not do: kubeadm's unit reads it from a file, and
// a file wins over Environment= whatever comes later.
func kubeadmDropIn(ip, configArgs string) string {
	return header +
		"# A --node-ip of your own, in KUBELET_EXTRA_ARGS or from kubeadm, comes later and wins.\n" +
		"[Service]\n" +
		"Environment=\"KUBELET_CONFIG_ARGS=" + escape(configArgs+" --node-ip="+ip) + "\"\n"
}

// escape writes a value inside the double quotes of a unit's assignment.
func escape(value string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`).Replace(value)
}

// KubeadmConfig is the part of kubeadm's InitConfiguration or JoinConfiguration that
// gives a kubelet the address.
func KubeadmConfig(ip string) string {
	return "# part of InitConfiguration and JoinConfiguration, kubeadm.k8s.io/v1beta4\n" +
		"nodeRegistration:\n  kubeletExtraArgs:\n  - name: node-ip\n    value: \"" + ip + "\"\n"
}
