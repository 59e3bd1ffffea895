/** Returns the greatest whole number whose square is at most `value`; whole `value` from 0 to 2^52. */
export function integerRoot(value: number): number {
  if (value < 2) return value
  let guess = value
  let next = Math.floor((guess + 1) / 2)
  while (next < guess) {
    guess = next
    next = Math.floor((guess + Math.floor(value / guess)) / 2)
  }
  return guess
}
