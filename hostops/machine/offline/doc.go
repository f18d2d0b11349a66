// Package offline makes of a machine one that does not run: an image, or the tree of one.
// Its files are there and can be changed; its kernel, its mounts, its network, its systemd and
// what is below /proc, /sys and /run are not, whoever has mounted something of another host
// there. Whether a boot starts a unit is in the files.
package offline
