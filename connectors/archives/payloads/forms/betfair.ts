import { BETFAIR_ENDPOINTS } from '../../../../pipelines/venues/betfair/endpoints.ts'
import { isJsonObject } from '../json-document.ts'
import type { Recorded, TimedFile } from '../payload-form.ts'
import { latestOf, type Recogniser } from '../recogniser.ts'

/** The publish time of a stream message, in epoch milliseconds. */
const PUBLISHED = /"pt"\s*:\s*(\d{12,14})\b/g

/**
 * Messages of the market stream, whose publish time is the only time they have, so it counts as the receipt; and market
 * catalogues, or lists of them.
 */
export const BETFAIR: Recogniser = {
  venue_id: 'betfair',
  endpoints: Object.values(BETFAIR_ENDPOINTS),
  endpointOf: (value) => {
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (!isJsonObject(first)) return null
    // Some recorders add an `op` to catalogues too.
    if (typeof first.marketId === 'string') return isMarketBook(first) ? null : BETFAIR_ENDPOINTS.catalogue
    return typeof first.op === 'string' || Array.isArray(first.mc) ? BETFAIR_ENDPOINTS.stream : null
  },
  isStream: (endpoint) => endpoint === BETFAIR_ENDPOINTS.stream,
  clockOf: (text, endpoint) =>
    endpoint === BETFAIR_ENDPOINTS.stream ? latestOf(text, PUBLISHED, (millis) => Number(millis) * 1000) : null,
  untimed: startOfStream,
}

/** An answer of listMarketBook, which is not read: it has prices and no names. */
function isMarketBook(value: Readonly<Record<string, unknown>>): boolean {
  return 'isMarketDataDelayed' in value || ('status' in value && !('marketName' in value))
}

/**
 * A catalogue has no time of its own. It is requested before a market's stream is followed, so the start of that market's
 * recorded stream, whose file is named after the market, counts as its receipt.
 */
function startOfStream({ text }: Recorded, beside: readonly TimedFile[]): number | null {
  const market_id = /"marketId"\s*:\s*"([^"]+)"/.exec(text)?.[1]
  const streams = beside.filter(({ name }) => market_id !== undefined && name.includes(market_id))
  return streams.length === 0 ? null : Math.min(...streams.map(({ first_received_at }) => first_received_at))
}
