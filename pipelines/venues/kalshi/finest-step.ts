import { DECIMAL_PATTERN, type DecimalString } from '../../../primitives/decimal.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import { plainDecimal } from '../../text/fields.ts'
import { type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { parseRecord, Quarantined } from '../quarantine.ts'

const STEPS: Readonly<Record<string, DecimalString>> = {
  linear_cent: '0.01',
  deci_cent: '0.001',
  // 0.001 below 0.10 and above 0.90, 0.01 between them.
  tapered_deci_cent: '0.001',
}

const STEP_SCALE = 9

/**
 * The finest price step of a market, in dollars without needless zeros: of its `price_ranges`, or of the grid that
 * `price_level_structure` names; null where it says neither. `tick_size` is whole cents, wrong for finer grids, and not read.
 */
export function finestStep(market: JsonTextObject): DecimalString | null {
  const parsed = parseRecord(() => listOf(market.price_ranges).map((range) => stepOf(objectOf(range))))
  const steps = 'record' in parsed ? parsed.record : []
  const [first, ...rest] = steps
  if (first !== undefined) return rest.reduce((finest, step) => (scaled(step) < scaled(finest) ? step : finest), first)
  const structure = market.price_level_structure
  return typeof structure === 'string' && Object.hasOwn(STEPS, structure) ? STEPS[structure]! : null
}

function stepOf({ step }: JsonTextObject): DecimalString {
  if (typeof step !== 'string' || !DECIMAL_PATTERN.test(step)) throw new Quarantined('BAD_VALUE')
  const plain = plainDecimal(step)
  if (!/^0\.\d{1,9}$/.test(plain)) throw new Quarantined('BAD_VALUE')
  return plain
}

function scaled(step: DecimalString): bigint {
  return toScaled(step, STEP_SCALE)
}
