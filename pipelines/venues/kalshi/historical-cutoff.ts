import type { Micros } from '../../../primitives/instants.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import { optionalTimeField, timeField } from './times.ts'

/** Start of the live endpoints: older data is served below `/historical` only. The instants move forward. */
export type HistoricalCutoff = {
  /** For markets and their candles: by settlement. */
  readonly market_settled_at: Micros
  /** For trades: by creation; null if the venue gives none. */
  readonly trades_created_at: Micros | null
}

/** Reads the cutoff of a parsed body. @throws Quarantined MISSING_FIELD, BAD_DATE */
export function cutoffOf(body: JsonTextObject): HistoricalCutoff {
  return {
    market_settled_at: timeField(body, 'market_settled_ts'),
    trades_created_at: optionalTimeField(body, 'trades_created_ts'),
  }
}

/**
 * Returns the tier that serves data of an instant: `historical` before the cutoff, else `live`.
 * @param cutoff the field of HistoricalCutoff for that kind of data
 */
export function routeByCutoff(cutoff: Micros, instant: Micros): 'historical' | 'live' {
  return instant < cutoff ? 'historical' : 'live'
}
