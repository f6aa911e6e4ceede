//go:build !race

package extract

// slowdown is how many times longer a test may take.
const slowdown = 1
