import { type FixingRecords, fixingOf } from '../../pipelines/index/admit.ts'
import type { LegRecord } from '../../pipelines/index/rebuild-leg.ts'
import type { IndexVersion, Leg } from '../../pipelines/index/version.ts'
import type { Mark } from '../../pipelines/market/mark.ts'
import type { Quote } from '../../pipelines/market/quote.ts'
import { recordIdOf } from '../../pipelines/market/quote.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { MarketObservation } from '../../protocol/resources/market-price.ts'
import type { Trade as TradeResource } from '../../protocol/resources/trade.ts'
import type { PublicApi } from '../http/public-api.ts'
import { knownAt, quoteOf, tradeOf } from './market-records.ts'
import type { TradeCache } from './trade-cache.ts'

/** Fixing to recompute: its leg as stated and as mapped, and the instant of knowledge. */
export type FixingAsked = {
  readonly stated: LegRecord
  readonly leg: Leg
  readonly version: IndexVersion
  readonly grace: Micros
  readonly as_of: Micros
}

/**
 * Recomputes the fixing of a leg at its cutoff from all public trades of its partitions, and from the quotes at the ends of those
 * without a trade; null if there is no fixing, or the venue's terms do not allow to publish its trades.
 */
export async function fetchFixing(
  api: PublicApi,
  trades_of: TradeCache,
  { stated, leg, version, grace, as_of }: FixingAsked,
): Promise<Mark | null> {
  const { fixing, methodology } = version
  if (fixing === null) return null
  const cutoff = toMicros(stated.mark_cutoff_at, 'mark_cutoff_at')
  const from = cutoff - fixing.partitions * fixing.partition
  const found = await trades_of.trades(leg, from, as_of)
  if (found === null || !found.every((trade) => isOfOutcome(trade, leg))) return null
  const trades = standingTrades(found.filter((trade) => isOfSeries(trade, leg)))
  const recompute = (newestQuote: FixingRecords['newestQuote']) =>
    fixingOf({ trades, newestQuote }, fixing, cutoff, grace, methodology.parameters)
  const ends: Micros[] = []
  const by_trades = recompute((end) => {
    ends.push(end)
    return null
  })
  if (ends.length === 0) return by_trades
  const earliest = from - methodology.parameters.book_max_age
  const window = { from: earliest, to: Math.max(...ends), as_of: formatMicros(as_of) }
  const quotes = await fetchQuotes(api, leg, window)
  if (!quotes.every((quote) => isOfOutcome(quote, leg))) return null
  const newest = ends.flatMap((end) => newestOf(quotes, end, cutoff + grace)?.observation_id ?? [])
  const ids = [...new Set(newest)]
  const details = new Map(await Promise.all(ids.map(async (id) => [id, await fetchQuote(api, leg, id)] as const)))
  return recompute((end, known_to) => details.get(newestOf(quotes, end, known_to)?.observation_id ?? '') ?? null)
}

type Window = { readonly from: Micros; readonly to: Micros; readonly as_of: string }

/** Returns the current trades in the order of the calculation, without voided ones. */
function standingTrades(all: readonly TradeResource[]) {
  const current = new Map<string, TradeResource>()
  for (const trade of all) {
    const known = current.get(trade.source_trade_id)
    if (known === undefined || toMicros(trade.received_at) >= toMicros(known.received_at))
      current.set(trade.source_trade_id, trade)
  }
  const standing = [...current.values()].filter(({ correction }) => correction?.kind !== 'void').map(tradeOf)
  return standing.sort(
    (a, b) => a.source_at - b.source_at || a.received_at - b.received_at || (a.trade_id < b.trade_id ? -1 : 1),
  )
}

/** Reads every revision of the source values of an outcome in a window. */
async function fetchQuotes(
  api: PublicApi,
  leg: Leg,
  { from, to, as_of }: Window,
): Promise<readonly MarketObservation[]> {
  const found = await api.list<MarketObservation>(`/markets/${leg.market_id}/prices`, {
    outcome_id: leg.outcome_id,
    time_domain: 'source',
    start_time: formatMicros(from),
    end_time: formatMicros(to + 1),
    include_corrections: true,
    // A quote may state a last trade alone: it hides the book before it.
    include_quoted_trades: true,
    as_of,
  })
  return found.filter((item) => item.observation_id.startsWith('obs_') && isOfSeries(item, leg))
}

async function fetchQuote(api: PublicApi, leg: Leg, observation_id: string): Promise<Quote | null> {
  const found = await api.find<MarketObservation>(`/markets/${leg.market_id}/prices/${observation_id}`)
  return found?.observation_id === observation_id && isOfOutcome(found, leg) ? quoteOf(found) : null
}

/** Returns the newest record about an instant as known at another: greatest (source_at, received_at, revision). */
function newestOf(
  observations: readonly MarketObservation[],
  source_to: Micros,
  known_to: Micros,
): MarketObservation | null {
  const usable = observations.filter((item) => toMicros(item.source_at) <= source_to && knownAt(item) <= known_to)
  return usable.reduce<MarketObservation | null>(
    (best, item) => (best === null || isLater(item, best) ? item : best),
    null,
  )
}

function isLater(a: MarketObservation, b: MarketObservation): boolean {
  if (recordIdOf(a.observation_id) === recordIdOf(b.observation_id)) return false
  const source = toMicros(a.source_at) - toMicros(b.source_at)
  const received = toMicros(a.received_at) - toMicros(b.received_at)
  return (source || received || a.revision - b.revision) > 0
}

function isOfOutcome(record: { readonly market_id: string; readonly outcome_id: string }, leg: Leg): boolean {
  return record.market_id === leg.market_id && record.outcome_id === leg.outcome_id
}

function isOfSeries(record: { readonly source_series_id: string | null }, leg: Leg): boolean {
  return (record.source_series_id ?? '') === (leg.source_series_id ?? '')
}
