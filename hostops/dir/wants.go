package dir

import (
	"context"
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// parentMode is the mode of a directory that we make for what belongs into it.
const parentMode = 0o755

// whatever stands in a wish for what may be as it is.
const whatever = "-"

// made is what a directory becomes whose wish does not say.
var made = [2]string{octal(parentMode), "0:0"}

// Parent returns the wish for the directory of something of ours: any directory will do,
// whatever its mode and owner, and one that is missing is made.
func Parent(path string) item.Want {
	return item.Want{Key: Key(path), State: State(parentMode), Compare: item.Present}
}

// Wish returns the state that a wish for a directory names. Mode is octal, such as
// "0755"; empty means that any will do. A nil owner means the same.
func Wish(mode string, uid, gid *int64) item.State {
	owner := whatever
	if uid != nil && gid != nil {
		owner = fmt.Sprintf("%d:%d", *uid, *gid)
	}
	if mode == "" {
		mode = whatever
	}
	return item.Text(mode + " " + owner)
}

// Both returns the wish that satisfies two, if there is one.
func Both(a, b item.State) (item.State, bool) {
	x, y := parts(a), parts(b)
	for i := range x {
		switch {
		case x[i] == whatever:
			x[i] = y[i]
		case y[i] != whatever && x[i] != y[i]:
			return item.Unknown, false
		}
	}
	return item.Text(x[0] + " " + x[1]), true
}

// parts splits a wish into mode and owner.
func parts(s item.State) [2]string {
	mode, owner, _ := strings.Cut(s.Text(), " ")
	return [2]string{mode, owner}
}

// Expand implements item.Expander. There are no patterns: what a wish leaves open becomes
// what is found, or what a new directory shall have.
func (o *Operation) Expand(ctx context.Context, wants []item.Want) (single, patterns []item.Want, err error) {
	single = make([]item.Want, len(wants))
	for i, w := range wants {
		p := parts(w.State)
		if w.Compare == item.Exact && (p[0] == whatever || p[1] == whatever) {
			w = o.fill(ctx, w, p)
		}
		single[i] = w
	}
	return single, nil, nil
}

// fill makes a wish of one that leaves something open. Where all is open, any directory
// will do.
func (o *Operation) fill(ctx context.Context, w item.Want, wish [2]string) item.Want {
	is := made
	found, err := o.Observe(ctx, w.Key)
	if err == nil && found.Present() {
		is = parts(found)
	}
	if wish[0] == whatever && wish[1] == whatever {
		w.Compare, is = item.Present, made
	}
	for i := range wish {
		if wish[i] == whatever {
			wish[i] = is[i]
		}
	}
	w.State = item.Text(wish[0] + " " + wish[1])
	return w
}
