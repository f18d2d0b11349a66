package bench_test

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// loopVariable makes this program the limit: what nothing that reads a key, writes it and
// reads it back can be faster than. It names a file with lines of a path and a value.
const loopVariable = "HOSTPROFILE_BENCH_LOOP"

// loop sets all keys and prints how many nanoseconds that took.
func loop(file string) {
	content, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	var keys [][2]string
	for line := range strings.Lines(string(content)) {
		path, value, _ := strings.Cut(line, " ")
		keys = append(keys, [2]string{"/proc/sys/" + path, value})
	}
	began := time.Now()
	for _, k := range keys {
		if err := set(k[0], k[1]); err != nil {
			panic(fmt.Sprint(k, err))
		}
	}
	fmt.Println(time.Since(began).Nanoseconds())
}

// set is open, read, write, read, close.
func set(path, value string) error {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	var b [128]byte
	if _, err := unix.Pread(fd, b[:], 0); err != nil {
		return err
	}
	if _, err := unix.Pwrite(fd, []byte(value), 0); err != nil {
		return err
	}
	if _, err := unix.Pread(fd, b[:], 0); err != nil {
		return err
	}
	return unix.Close(fd)
}
