package dir

import "github.com/hostprofile/hostprofile/hostops/item"

// parentMode is the mode of a directory that we make for a file of ours.
const parentMode = 0o755

// Parent returns the wish for the directory of a file of ours: any directory will do,
// whatever its mode and owner, and one that is missing is made.
func Parent(path string) item.Want {
	return item.Want{Key: Key(path), State: State(parentMode), Compare: item.Present}
}
