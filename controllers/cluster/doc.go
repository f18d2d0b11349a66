// Package cluster is the API server as one node's agent needs it: what it says of the
// profiles and of this node, evidence about what seems to be gone, and a place to publish.
//
// It owns three watches (the HostProfiles, one Node, one HostProfileStatus), all requests
// and their repetition. Nothing here stops the agent: a server that is not there, slow or
// refusing is asked again, with one line in the log every half minute at most. It never
// writes anything but the own HostProfileStatus and the own conditions on the own Node.
package cluster
