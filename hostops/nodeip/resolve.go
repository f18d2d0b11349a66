package nodeip

import "fmt"

// Source says where an address comes from.
type Source string

// The sources, in the order in which they count.
const (
	FromFlag        Source = "Flag"
	FromState       Source = "Saved"
	FromNode        Source = "Adopted" // this host is a node already, by this address
	FromProfile     Source = "Profile"
	FromEnvironment Source = "Environment"
	FromDetection   Source = "Detected"
)

// Choice is the address of a node and where it comes from.
type Choice struct {
	IP     string // "v4" or "v4,v6", as a kubelet takes it
	Source Source
}

// Sources are the values that name an address, empty where they name none.
type Sources struct {
	Flag        string // --node-ip
	State       string // kept from an earlier run
	Node        string // of the kubelet that runs, or ran, here
	Profile     string // nodeIP.address
	Environment string // $NODE_IP
}

// Resolve returns the first source that names an address, verbatim. Only if none does,
// detect is called; its failure then names the sources that could have said it.
func Resolve(s Sources, detect func() (string, error)) (Choice, error) {
	return resolve(s, detect, waysToSay)
}

// ResolveWithoutConfig is Resolve for a start that reads no profile.
func ResolveWithoutConfig(s Sources, detect func() (string, error)) (Choice, error) {
	s.Profile = ""
	return resolve(s, detect, waysWithoutProfile)
}

const (
	waysToSay          = "say which: --node-ip ADDRESS, nodeIP.address or nodeIP.subnets in a profile, or NODE_IP in the environment"
	waysWithoutProfile = "say which: --node-ip ADDRESS, or NODE_IP in the environment"
)

func resolve(s Sources, detect func() (string, error), ways string) (Choice, error) {
	for _, c := range []Choice{
		{s.Flag, FromFlag}, {s.State, FromState}, {s.Node, FromNode}, {s.Profile, FromProfile}, {s.Environment, FromEnvironment},
	} {
		if c.IP != "" {
			return c, nil
		}
	}
	ip, err := detect()
	if err != nil {
		return Choice{}, fmt.Errorf("%w; %s", err, ways)
	}
	return Choice{ip, FromDetection}, nil
}
