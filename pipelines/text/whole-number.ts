const [ZERO, DIGITS_MAX] = [48, 15]

/**
 * Reads the range [from, to) of a text as 1 to 15 decimal digits, leading zeros allowed; -1 for any other text. A number below
 * 10^15 is exact. Times and sequences come with every message, and Number() takes several times as long for a slice of a
 * document.
 */
export function wholeNumber(text: string, from = 0, to = text.length): number {
  const length = to - from
  if (length <= 0 || length > DIGITS_MAX) return -1
  let value = 0
  for (let i = from; i < to; i += 1) {
    const digit = text.charCodeAt(i) - ZERO
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value
}
