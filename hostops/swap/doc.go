// Package swap owns which devices and files the kernel swaps to, and knows what takes
// them into use at boot.
//
// The truth is /proc/swaps. Nothing that names a swap area (fstab, units, generators)
// is ever edited: an area is taken out of use again in every boot. Taking one out of
// use can take minutes, and its caller holds no lock meanwhile.
package swap
