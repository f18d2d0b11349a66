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
