// Package lint holds the rules that this source keeps, as tests: which package
// may import which, what a program may link, and how long things may get.
package lint
