import type { JsonTextObject } from '../../text/json-text.ts'

/**
 * Combinations that users generate from other markets (multivariate events). There are tens of thousands of them, they live for
 * hours and have no price history: they are skipped before any field is read.
 */

const COMBO_PREFIX = 'KXMVE'

/** Returns whether the ticker of a market, event or series is a combination's. */
export function isComboTicker(ticker: unknown): boolean {
  return typeof ticker === 'string' && ticker.startsWith(COMBO_PREFIX)
}

/** Returns whether a market, event, trade or book is a combination or belongs to one. */
export function isCombo(object: JsonTextObject): boolean {
  const { mve_collection_ticker: collection, mve_selected_legs: legs } = object
  if (typeof collection === 'string' && collection !== '') return true
  if (Array.isArray(legs) && legs.length > 0) return true
  const { ticker, market_ticker, event_ticker, series_ticker } = object
  return (
    isComboTicker(ticker) || isComboTicker(market_ticker) || isComboTicker(event_ticker) || isComboTicker(series_ticker)
  )
}
