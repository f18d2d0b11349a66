// Package results is the outcome of benchmarks as rows of a file, which programs compare
// and people read as one table. Whoever measures puts a row; nobody else writes the file.
package results
