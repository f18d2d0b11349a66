// Package packages holds the stories of the deb and the rpm: they are installed, upgraded
// and removed by the real dpkg and the real rpm, in a systemd container. It is tests only.
//
// The container is a Debian one for both: of rpm it has the program and no distribution.
package packages
