import type { DecimalString } from '../../primitives/decimal.ts'

/** Digits of the finest grid on which venues trade, steps of 0.0001: its prices are few and repeat millions of times. */
const DIGITS = 4
const GRID: readonly DecimalString[] = Array.from(
  { length: 10 ** DIGITS },
  (_, price) => `0.${String(price).padStart(DIGITS, '0')}00000`,
)
const STEPS = [0, 1000, 100, 10, 1]
const [POINT, ZERO] = [46, 48]

/**
 * Returns a price `0.d` to `0.dddd` with 9 fraction digits, always the same text for the same price; null for any other text.
 */
export function gridPrice(text: string): DecimalString | null {
  const digits = text.length - 2
  if (digits < 1 || digits > DIGITS || text.charCodeAt(1) !== POINT || text.charCodeAt(0) !== ZERO) return null
  let price = 0
  for (let i = 2; i < text.length; i += 1) {
    const digit = text.charCodeAt(i) - ZERO
    if (digit < 0 || digit > 9) return null
    price = price * 10 + digit
  }
  return GRID[price * STEPS[digits]!]!
}
