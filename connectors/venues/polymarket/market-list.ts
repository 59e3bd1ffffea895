import { parseJsonText } from '../../../pipelines/text/json-scan.ts'
import type { JsonText, JsonTextObject } from '../../../pipelines/text/json-text.ts'
import { listOf, objectOf } from '../../../pipelines/text/json-text.ts'
import { readVenueTime } from '../../../pipelines/venues/polymarket/times.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../../primitives/instants.ts'

/** What further requests need of a market of Gamma. */
export type ListedMarket = {
  readonly condition_id: string
  /** As the venue lists them. */
  readonly tokens: readonly string[]
  /** Takes orders, so it has books. */
  readonly trades: boolean
  readonly closed: boolean
  /** When it was closed, to the second; null where the venue does not say. */
  readonly closed_at: Micros | null
}

/** The markets of one page of `GET /markets`; one that cannot be read is left out: its reader reports it. @throws Quarantined */
export function listedMarkets(page: JsonText): ListedMarket[] {
  return listOf(page).flatMap((item) => {
    const parsed = parseRecord(() => listedMarket(objectOf(item)))
    return 'record' in parsed && parsed.record !== null ? [parsed.record] : []
  })
}

function listedMarket(market: JsonTextObject): ListedMarket | null {
  const { conditionId, clobTokenIds, closed, acceptingOrders, enableOrderBook, closedTime } = market
  if (typeof conditionId !== 'string' || typeof clobTokenIds !== 'string') return null
  const tokens = listOf(parseJsonText(clobTokenIds)).filter((token) => typeof token === 'string')
  // Both flags of a decided market may be true.
  const trades = acceptingOrders === true && closed !== true && enableOrderBook !== false
  return {
    condition_id: conditionId,
    tokens,
    trades,
    closed: closed === true,
    closed_at: readVenueTime(closedTime),
  }
}
