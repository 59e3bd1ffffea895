import { Decimal, type DecimalString, formatDecimal } from '../primitives/decimal.ts'

/** A share as people read it: 0.0750 is 7.5 %; null is a dash. */
export function percent(share: DecimalString | null): string {
  if (share === null) return '–'
  const value = formatDecimal(new Decimal(share).times(100), 1)
  return `${value.replace(/\.0$/, '')} %`
}

/** A count for people: 154,289. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** A count with its noun: 1 change, 2 changes. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}
