import type { DecimalString } from '../../primitives/decimal.ts'

const PLAIN = /^(0|[1-9]\d*)(\.\d+)?$/

/** The whole number of a decimal without a sign at `scale`; null where it has more digits, or is past what can be counted exactly. */
export function wholeAtScale(text: DecimalString, scale: number): number | null {
  const parts = split(text)
  if (parts === null || !/^0*$/.test(parts.fraction.slice(scale))) return null
  const whole = join(parts, scale)
  return Number.isSafeInteger(whole) ? whole : null
}

/** The same rounded down; the greatest safe integer where it is more. For what is only compared with. */
export function floorAtScale(text: DecimalString, scale: number): number {
  const parts = split(text)
  return parts === null ? 0 : Math.min(join(parts, scale), Number.MAX_SAFE_INTEGER)
}

/** Significant fraction digits: 2 of "0.01" and of "0.010". */
export function fractionDigits(text: DecimalString): number {
  return (text.split('.')[1] ?? '').replace(/0+$/, '').length
}

type Parts = { readonly whole: string; readonly fraction: string }

function split(text: DecimalString): Parts | null {
  if (!PLAIN.test(text)) return null
  const point = text.indexOf('.')
  return point < 0 ? { whole: text, fraction: '' } : { whole: text.slice(0, point), fraction: text.slice(point + 1) }
}

/** Digits without a point: exact where the result is a safe integer. */
function join({ whole, fraction }: Parts, scale: number): number {
  return Number(whole + fraction.slice(0, scale).padEnd(scale, '0'))
}
