import type { DecimalString } from '../../primitives/decimal.ts'

const [WHOLE_DIGITS_MAX, FRACTION_DIGITS] = [12, 6]
const [POINT, ZERO, NINE] = [46, 48, 57]
/** Texts of zeros by their length. */
const ZEROS = Array.from({ length: FRACTION_DIGITS + 1 }, (_, count) => '0'.repeat(count))

/**
 * Formats a quantity of at most twelve digits before the point and six after it, as nearly all are, with six; null for any
 * other text. Checking each character costs half of a pattern.
 */
export function shortQuantity(text: string): DecimalString | null {
  const { length } = text
  if (length > WHOLE_DIGITS_MAX + 1 + FRACTION_DIGITS) return null
  let point = length
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === POINT && point === length) point = i
    else if (code < ZERO || code > NINE) return null
  }
  if (point === 0 || point > WHOLE_DIGITS_MAX || (point > 1 && text.charCodeAt(0) === ZERO)) return null
  if (point === length) return `${text}.000000`
  const zeros = FRACTION_DIGITS + 1 + point - length
  return zeros < 0 || zeros === FRACTION_DIGITS ? null : text + ZEROS[zeros]!
}
