import { DECIMAL_PATTERN, type DecimalString } from '../../../primitives/decimal.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import { plainDecimal } from '../../text/fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../text/json-text.ts'
import { parseRecord, Quarantined } from '../quarantine.ts'
import type { TradingParameters } from '../record.ts'
import { priceGrid, tradingParameters } from '../trading-parameters.ts'

const STEPS: Readonly<Record<string, DecimalString>> = {
  linear_cent: '0.01',
  deci_cent: '0.001',
  // 0.001 below 0.10 and above 0.90, 0.01 between them.
  tapered_deci_cent: '0.001',
}

const STEP_SCALE = 9

/**
 * Returns the finest price step of a market, in dollars without trailing zeros: from its `price_ranges`, or the grid that
 * `price_level_structure` names; null if it states neither. `tick_size` is whole cents, wrong for finer grids, and ignored.
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

const WHOLE_CONTRACT = '1.000000'

/** Memo of parameters by the fields they derive from: a listing holds thousands of markets on few grids. */
const KNOWN = new Map<string, TradingParameters | null>()
const KNOWN_MAX = 1_000

/**
 * Returns the trading parameters of a market: the finest step of its price grid, and whole contracts if it excludes fractions.
 * Orders rest above 0 and below 1 dollar, which a contract pays. null if it states no grid.
 */
export function tradingOf(market: JsonTextObject): TradingParameters | null {
  const key = `${String(market.price_level_structure)}|${String(market.fractional_trading_enabled)}|${stepsKey(market)}`
  const known = KNOWN.get(key)
  if (known !== undefined) return known
  if (KNOWN.size >= KNOWN_MAX) KNOWN.clear()
  const trading = readTrading(market)
  KNOWN.set(key, trading)
  return trading
}

function stepsKey({ price_ranges }: JsonTextObject): string {
  if (!Array.isArray(price_ranges)) return String(price_ranges)
  return (price_ranges as readonly JsonText[])
    .map((range) => (typeof range === 'object' && range !== null ? String((range as JsonTextObject).step) : 'none'))
    .join('|')
}

function readTrading(market: JsonTextObject): TradingParameters | null {
  const step = finestStep(market)
  const is_whole = market.fractional_trading_enabled === false
  if (step === null && !is_whole) return null
  const whole = is_whole ? { quantity_increment: WHOLE_CONTRACT, minimum_quantity: WHOLE_CONTRACT } : {}
  return tradingParameters({ ...priceGrid(step), ...whole, settlement_asset_id: 'usd' })
}
