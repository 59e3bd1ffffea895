import { Decimal, type DecimalString } from '../../primitives/decimal.ts'
import { ALERT_LEVELS, type AlertLevel } from '../../vocabulary/severity.ts'
import { readWord } from '../text/fields.ts'
import type { JsonTextObject } from '../text/json-text.ts'
import { optionalNumber } from '../text/plain-number.ts'
import { Quarantined } from './quarantine.ts'

/** Readers of the fields that alert feeds share. */

/** Longest measured value; longer texts are not measurements. */
const LENGTH_MAX = 40

/** Reads an alert color in any case; null if no alert was made, which is not green. @throws Quarantined BAD_FLAG */
export function alertLevel(text: string | null): AlertLevel | null {
  return text === null ? null : readWord(text.toLowerCase(), ALERT_LEVELS)
}

/** Reads a measured value as the feed wrote it, exponents expanded; null if absent. @throws Quarantined BAD_VALUE */
export function optionalMeasure(object: JsonTextObject, field: string): DecimalString | null {
  const value = optionalNumber(object, field)
  if (value !== null && value.length > LENGTH_MAX) throw new Quarantined('BAD_VALUE')
  return value
}

/** Reads degrees from -max to max. @throws Quarantined BAD_VALUE */
export function optionalDegrees(object: JsonTextObject, field: string, max: 90 | 180): DecimalString | null {
  const value = optionalMeasure(object, field)
  if (value !== null && new Decimal(value).abs().gt(max)) throw new Quarantined('BAD_VALUE')
  return value
}
