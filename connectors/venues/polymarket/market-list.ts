import { parseJsonText } from '../../../pipelines/text/json-scan.ts'
import type { JsonText, JsonTextObject } from '../../../pipelines/text/json-text.ts'
import { listOf, objectOf } from '../../../pipelines/text/json-text.ts'
import { readVenueTime } from '../../../pipelines/venues/polymarket/times.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../../primitives/instants.ts'

/** Facts of a Gamma market that further requests need. */
export type ListedMarket = {
  readonly condition_id: string
  /** In the venue's order. */
  readonly tokens: readonly string[]
  /** True if it takes orders, so it has books. */
  readonly trades: boolean
  readonly closed: boolean
  /** Time of its close, to the second; null if the venue states none. */
  readonly closed_at: Micros | null
}

/** Reads the markets of one page of `GET /markets`. An unreadable one is omitted; its reader reports it. @throws Quarantined */
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
