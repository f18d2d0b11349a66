package results

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"text/tabwriter"
)

// Write prints the rows as one table, and the versions below it.
func (f File) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tWORK\tOURS\tPEER\tLIMIT\tRATIO (BEST)\tGOAL\tMET")
	for _, r := range f.Rows {
		fmt.Fprintf(t, "%s\t%s\t%s %s\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.What, number(r.Ours), r.Unit,
			beside(r.Peer, r.PeerName), beside(r.Limit, r.LimitName), r.ratios(), r.Goal, yesNo(r.Met))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range f.Rows {
		if r.Missing != "" {
			fmt.Fprintf(w, "%s: left out: %s\n", r.ID, r.Missing)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Versions)) {
		fmt.Fprintf(w, "%s: %s\n", name, f.Versions[name])
	}
	return nil
}

func beside(figure *float64, name string) string {
	if figure == nil {
		return "-"
	}
	return number(*figure) + " " + name
}

func (r Row) ratios() string {
	if r.Peer == nil {
		return "-"
	}
	return fmt.Sprintf("%.3g (%.3g)", r.Ratio, r.BestRatio)
}

// number has three digits that count, and all of those before the point.
func number(x float64) string {
	if x >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "NO"
}
