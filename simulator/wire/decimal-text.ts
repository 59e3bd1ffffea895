import { PRICE_ONE } from '../world/grid.ts'

/** Texts of the world's whole numbers, made from digits, never through a fraction, so nothing is rounded. */

const ZERO = 48
const POINT = 46

const FIXED_PRICES: readonly string[] = Array.from({ length: PRICE_ONE + 1 }, (_, price) => fixed(price, 4))
const PLAIN_PRICES: readonly string[] = FIXED_PRICES.map(trimZeros)

/** Formats a price in ten-thousandths with four decimals: 0.4200. */
export function fixedPrice(price: number): string {
  return FIXED_PRICES[price]!
}

/** Formats a price in ten-thousandths without trailing zeros: 0.42. */
export function plainPrice(price: number): string {
  return PLAIN_PRICES[price]!
}

/** Formats a size in hundredths with two decimals: 12.50; a negative one with its sign. */
export function fixedSize(size: number): string {
  return size < 0 ? `-${fixed(-size, 2)}` : fixed(size, 2)
}

/** Formats a size in hundredths without trailing zeros: 12.5. */
export function plainSize(size: number): string {
  return size % 100 === 0 ? String(size / 100) : trimZeros(fixed(size, 2))
}

/** Formats a whole number at `scale` decimals without trailing zeros. */
export function plainScaled(value: number | bigint, scale: number): string {
  return trimZeros(fixed(value, scale))
}

function fixed(value: number | bigint, scale: number): string {
  const digits = String(value).padStart(scale + 1, '0')
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

function trimZeros(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === ZERO) end -= 1
  if (text.charCodeAt(end - 1) === POINT) end -= 1
  return text.slice(0, end)
}
