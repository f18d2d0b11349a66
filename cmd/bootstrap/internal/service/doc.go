// Package service is how a run of the program that stays is heard: by the init system, in
// the journal and on the console. Where there is none of them, as with another init system,
// it says the same on the standard error, or nothing.
package service
