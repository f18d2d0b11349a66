package replay

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"slices"

	"github.com/hostprofile/hostprofile/test/faults/disk"
)

// block is what a disk writes whole or not at all: ext4 itself builds on that.
type block = [disk.BlockSize]byte

// Image is the content of a disk. A nil block is all zeroes. Blocks are never changed, so
// that images share them.
type Image []*block

// ReadImage reads a disk from a file.
func ReadImage(name string) (Image, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	image := make(Image, disk.Size/disk.BlockSize)
	image.write(Entry{Data: content})
	return image, nil
}

// write writes to the disk. What is written begins and ends where blocks do, as all that
// ext4 writes; a rest is written into a copy of its block.
func (i Image) write(e Entry) {
	for data, at := e.Data, e.Offset; len(data) > 0; {
		var b block
		if old := i[at/disk.BlockSize]; old != nil {
			b = *old
		}
		n := copy(b[at%disk.BlockSize:], data)
		i[at/disk.BlockSize] = &b
		if b == (block{}) {
			i[at/disk.BlockSize] = nil
		}
		data, at = data[n:], at+int64(n)
	}
}

// with is a copy of the disk to which these were written, in this order.
func (i Image) with(writes []Entry) Image {
	c := slices.Clone(i)
	for _, e := range writes {
		c.write(e)
	}
	return c
}

// Sum tells images apart.
func (i Image) Sum() [sha256.Size]byte {
	h := sha256.New()
	for n, b := range i {
		if b != nil {
			_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
			_, _ = h.Write(b[:])
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// WriteFile makes a file of the disk. One that is there is replaced.
func (i Image) WriteFile(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	err = f.Truncate(disk.Size)
	for n, b := range i {
		if b != nil && err == nil {
			_, err = f.WriteAt(b[:], int64(n)*disk.BlockSize)
		}
	}
	return errors.Join(err, f.Close())
}
