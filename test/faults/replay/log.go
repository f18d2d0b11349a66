package replay

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// Entry is one thing that the file system told its disk: to write, or to flush.
type Entry struct {
	Offset int64  // in bytes
	Data   []byte // what is written; nil is a flush
}

// Flush reports whether the entry is a flush.
func (e Entry) Flush() bool { return e.Data == nil }

// Log is what a disk was told, in order, and what was on it before.
type Log struct {
	Base    Image
	Entries []Entry
}

// Writes returns how many entries from the given one on are writes.
func (l *Log) Writes(from int) int {
	n := 0
	for _, e := range l.Entries[from:] {
		if !e.Flush() {
			n++
		}
	}
	return n
}

// WithoutFlushes is the log of a disk that lies about its flushes: none of them counts
// from the given entry on.
func (l *Log) WithoutFlushes(from int) *Log {
	lying := &Log{Base: l.Base, Entries: append([]Entry(nil), l.Entries[:from]...)}
	for _, e := range l.Entries[from:] {
		if !e.Flush() {
			lying.Entries = append(lying.Entries, e)
		}
	}
	return lying
}

// headerSize is how long the header of an entry is: offset and length, of 8 bytes each.
const headerSize = 16

// appendTo writes an entry to the end of a file, in one piece.
func (e Entry) appendTo(f *os.File) error {
	text := binary.LittleEndian.AppendUint64(nil, uint64(e.Offset))
	text = binary.LittleEndian.AppendUint64(text, uint64(len(e.Data)))
	_, err := f.Write(append(text, e.Data...))
	return err
}

// readEntries reads the whole entries of a file: the last one may be about to be written.
func readEntries(name string) ([]Entry, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var entries []Entry
	for r := bufio.NewReader(f); ; {
		e, err := readEntry(r)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return entries, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		entries = append(entries, e)
	}
}

func readEntry(r io.Reader) (Entry, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return Entry{}, err
	}
	e := Entry{Offset: int64(binary.LittleEndian.Uint64(header[:]))}
	size := binary.LittleEndian.Uint64(header[8:])
	if size == 0 {
		return e, nil
	}
	e.Data = make([]byte, size)
	_, err := io.ReadFull(r, e.Data)
	return e, err
}
