import { type DecimalString, SCALE } from '../../../primitives/decimal.ts'
import { fromScaled, pow10, toScaled } from '../../../primitives/scaled.ts'
import { readUnitValue } from '../../text/fields.ts'
import { plainNumber } from '../../text/plain-number.ts'
import { quotientText } from '../../text/quotient-text.ts'
import { Quarantined } from '../quarantine.ts'

/** Units of prices in a file. */
export const PRICE_UNITS = ['probability', 'percent', 'cents', 'decimal_odds', 'american_odds'] as const
export type PriceUnit = (typeof PRICE_UNITS)[number]

const ODDS = { min: toScaled('1.01', 9), max: toScaled('1000', 9) }
const AMERICAN_MIN = 100n
const AMERICAN_MAX = 100_000n

/**
 * Converts a price to a probability with 9 fraction digits: half even where digits are lost or odds are divided, else exact. No
 * number is ever a double.
 * @throws Quarantined BAD_VALUE, VALUE_OUT_OF_RANGE
 */
export function convertPrice(text: string, unit: PriceUnit): DecimalString {
  switch (unit) {
    case 'probability':
      return readUnitValue(decimalOf(text), SCALE.observed_value)
    case 'percent':
      return hundredth(text.endsWith('%') ? text.slice(0, -1).trimEnd() : text)
    case 'cents':
      return hundredth(text)
    case 'decimal_odds':
      return fromDecimalOdds(decimalOf(text))
    case 'american_odds':
      return fromAmericanOdds(text)
  }
}

/** Returns the exact decimal of a number as programs write it: `.5`, `5.`, `+5`, `5e-1`; one with leading zeros may be a code. */
export function decimalOf(text: string): DecimalString {
  const unsigned = text.replace(/^\+(?=[\d.])/, '')
  return plainNumber(unsigned.replace(/^(?=\.\d)/, '0').replace(/(?<=\d)\.(?=[eE]|$)/, ''))
}

function hundredth(text: string): DecimalString {
  return readUnitValue(plainNumber(`${decimalOf(text)}e-2`), SCALE.observed_value)
}

function fromDecimalOdds(odds: DecimalString): DecimalString {
  const digits = odds.split('.')[1]?.length ?? 0
  const scaled = toScaled(odds, digits)
  const unit = pow10(digits)
  if (scaled * pow10(9) < ODDS.min * unit || scaled * pow10(9) > ODDS.max * unit)
    throw new Quarantined('VALUE_OUT_OF_RANGE')
  return quotient('1', odds)
}

/** +150 pays 150 for a stake of 100; -150 asks a stake of 150 to win 100. */
function fromAmericanOdds(text: string): DecimalString {
  if (!/^[+-]?\d{1,9}(\.0+)?$/.test(text)) throw new Quarantined('BAD_VALUE')
  const odds = BigInt(text.replace(/^\+/, '').replace(/\.0+$/, ''))
  const size = odds < 0n ? -odds : odds
  if (size < AMERICAN_MIN || size > AMERICAN_MAX) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return quotient(fromScaled(odds < 0n ? size : 100n, 0), fromScaled(size + 100n, 0))
}

function quotient(part: DecimalString, whole: DecimalString): DecimalString {
  const found = quotientText(part, whole)
  if (found === null) throw new Quarantined('VALUE_OUT_OF_RANGE')
  return found
}
