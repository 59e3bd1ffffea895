import type { JsonText, JsonTextObject } from '../../text/json-text.ts'
import type { TradingParameters } from '../record.ts'
import { priceGrid, tradingParameters } from '../trading-parameters.ts'
import { finestStep } from './finest-step.ts'

const WHOLE_CONTRACT = '1.000000'

/** Parameters by what they follow from: a listing holds thousands of markets on few grids. */
const KNOWN = new Map<string, TradingParameters | null>()
const KNOWN_MAX = 1_000

/**
 * Trading parameters of a market: the finest step of its price grid, and whole contracts where it says that there are no
 * parts of them. Orders rest above 0 and below 1 dollar, which a contract pays. null where it states no grid.
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
