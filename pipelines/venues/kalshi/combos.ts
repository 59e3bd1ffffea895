import type { JsonTextObject } from '../../text/json-text.ts'

/**
 * Combinations that users generate from other markets (multivariate events). They appear by the ten thousand, live for
 * hours and have no series of prices: they are left out before anything of them is read.
 */

const COMBO_PREFIX = 'KXMVE'

/** True when the ticker of a market, event or series is a combination's. */
export function isComboTicker(ticker: unknown): boolean {
  return typeof ticker === 'string' && ticker.startsWith(COMBO_PREFIX)
}

/** True when the object, a market, event, trade or book, is a combination or belongs to one. */
export function isCombo(object: JsonTextObject): boolean {
  const { mve_collection_ticker: collection, mve_selected_legs: legs } = object
  if (typeof collection === 'string' && collection !== '') return true
  if (Array.isArray(legs) && legs.length > 0) return true
  const { ticker, market_ticker, event_ticker, series_ticker } = object
  return (
    isComboTicker(ticker) || isComboTicker(market_ticker) || isComboTicker(event_ticker) || isComboTicker(series_ticker)
  )
}
