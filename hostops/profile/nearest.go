package profile

import "strings"

// Nearest returns the known word that somebody probably meant: the same one in other
// letters' case, or the one with the fewest typing mistakes, if they are few.
func Nearest(word string, known []string) (string, bool) {
	const longest = 64 // nobody's typing mistake is longer, and the work grows with the square
	best, fewest := "", max(1, len(word)/3)+1
	if len(word) > longest {
		return "", false
	}
	for _, k := range known {
		if n := mistakes(strings.ToLower(word), strings.ToLower(k)); n < fewest {
			best, fewest = k, n
		}
	}
	return best, best != ""
}

// mistakes counts the letters to insert, remove, replace or swap with their neighbour to
// get from one word to the other.
func mistakes(from, to string) int {
	var twoAgo []int
	last := make([]int, len(to)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(from); i++ {
		row := make([]int, len(to)+1)
		row[0] = i
		for j := 1; j <= len(to); j++ {
			replace := last[j-1]
			if from[i-1] != to[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				row[j] = min(row[j], twoAgo[j-2]+1)
			}
		}
		twoAgo, last = last, row
	}
	return last[len(to)]
}
