import { idField } from '../../../pipelines/text/json-fields.ts'
import { type JsonText, type JsonTextObject, listOf, objectOf } from '../../../pipelines/text/json-text.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'

/** Facts of a market that further requests need. */
export type ListedMarket = {
  readonly ticker: string
  readonly event_ticker: string
  /** True if it takes orders, so it has a book. */
  readonly trades: boolean
  /** True once it is paid: nothing more will happen. */
  readonly ended: boolean
}

const ENDED: readonly unknown[] = ['finalized', 'settled']

/** Reads the markets of one page of `GET /markets`. An unreadable one is omitted; its reader reports it. @throws Quarantined */
export function listedMarkets(page: JsonText): ListedMarket[] {
  return itemsOf(page, 'markets', (market) => ({
    ticker: idField(market, 'ticker'),
    event_ticker: idField(market, 'event_ticker'),
    trades: market.status === 'active',
    ended: ENDED.includes(market.status),
  }))
}

/** Reads series tickers by event ticker from one page of `GET /events`. @throws Quarantined */
export function listedSeries(page: JsonText): (readonly [event_ticker: string, series_ticker: string])[] {
  return itemsOf(page, 'events', (event) => [idField(event, 'event_ticker'), idField(event, 'series_ticker')] as const)
}

/** Reads the cursor of the next page of any list; null = this is the last. @throws Quarantined */
export function nextCursor(page: JsonText): { readonly cursor: string } | null {
  const { cursor } = objectOf(page)
  return typeof cursor === 'string' && cursor !== '' ? { cursor } : null
}

function itemsOf<T>(page: JsonText, field: string, read: (item: JsonTextObject) => T): T[] {
  return listOf(objectOf(page)[field]).flatMap((item) => {
    const parsed = parseRecord(() => read(objectOf(item)))
    return 'record' in parsed ? [parsed.record] : []
  })
}
