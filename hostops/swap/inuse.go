package swap

// InUse returns the devices and files that a content of /proc/swaps names, in its order.
func InUse(content string) ([]string, error) {
	areas, err := parseSwaps(content)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(areas))
	for i, a := range areas {
		paths[i] = a.path
	}
	return paths, nil
}

// Area is a device or file in use.
type Area struct {
	Path       string
	Size, Used uint64 // in bytes
}

// Areas returns what a content of /proc/swaps says of each area, in its order.
func Areas(content string) ([]Area, error) {
	list, err := parseSwaps(content)
	if err != nil {
		return nil, err
	}
	out := make([]Area, len(list))
	for i, a := range list {
		out[i] = Area{a.path, a.size << 10, a.used << 10}
	}
	return out, nil
}
