import { parseDecimal, sumDecimals } from '../../../primitives/decimal.ts'
import { durationMicros, formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Candle } from '../../../protocol/resources/candle.ts'
import type { IndexObservation } from '../../../protocol/resources/index-observation.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketObservation } from '../../../protocol/resources/market-price.ts'
import type { Query } from '../../http/query.ts'
import type { Listed } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { tapeOfOutcome } from '../mirrored.ts'
import { priceAt, tapeAt } from '../world.ts'
import { standingTrades } from './a08-last-trade.ts'

/** A raw item as a candle sees it: value null if it brings a state only. */
type Point = { readonly at: Micros; readonly order: readonly number[]; readonly value: string | null }
type Range = { readonly start_time: string; readonly end_time: string; readonly interval: string }

const HOUR: Micros = 3_600_000_000
const MINUTE: Micros = 60_000_000
/** Time before the newest trade whose trades are folded. */
const TRADED: Micros = 6 * HOUR
const FIELDS = ['midpoint', 'bid', 'mark'] as const
/** Time after which a bucket that ended cannot count as open. */
const SETTLED: Micros = 10 * MINUTE

/** A11: candles equal a fold of the raw items; open and cut buckets say so. */
export const CANDLES_AGREE: Check = {
  id: 'A11',
  title: 'Candles',
  compares: 'candles, and a fold of the raw history or tape of the same range',
  share: 4,
  async run(context) {
    const { ask, world, sampler, more } = context
    for (const { index_id } of sampler
      .shuffled((await world.indexes(ask)).data, (index) => index.index_id)
      .slice(0, 4)) {
      if (!more()) return
      await compareIndex(context, index_id)
    }
    for (const market of await world.priced(ask)) {
      if (!more()) return
      await compareMarket(context, market)
    }
  },
}

async function compareIndex(context: CheckContext, index_id: string): Promise<void> {
  const { ask, world } = context
  const latest = await ask.get<IndexObservation>(`/indexes/${index_id}/price`, { as_of: world.at })
  if (latest.status !== 200) return
  const range = rangeAround(latest.data.tick_at, 'PT5M', 24 * HOUR)
  const as_of = world.at
  const raw = await ask.list<IndexObservation>(
    `/indexes/${index_id}/prices`,
    { time_domain: 'source', start_time: range.start_time, end_time: range.end_time, as_of },
    3,
  )
  const candles = await ask.list<Candle>(`/indexes/${index_id}/candles`, { ...range, as_of })
  if (!raw.complete || candles.status !== 200) return
  const points = raw.data.map(({ level, quality_state, source_cutoff_at, tick_at, published_at }, i): Point => {
    const priced = level !== null && quality_state !== 'stale' && source_cutoff_at !== null
    const at = toMicros(priced ? source_cutoff_at : tick_at)
    return { at, order: [at, toMicros(published_at), i], value: priced ? level : null }
  })
  compareFold(context, candles, raw.request, points, range)
}

async function compareMarket(context: CheckContext, market: Market): Promise<void> {
  const { ask, world, sampler } = context
  const view = await priceAt(ask, market, world.at)
  if (view.status !== 200) return
  const { market_id, outcomes } = market
  const outcome_id = outcomes[0]!.outcome_id
  const range = rangeAround(view.data.source_at, 'PT5M', HOUR)
  const [field] = sampler.shuffled(FIELDS, (name) => `${market_id} ${name}`)
  const query: Query = { outcome_id, field, as_of: world.at }
  const candles = await ask.list<Candle>(`/markets/${market_id}/candles`, { ...query, ...range })
  const { start_time, end_time } = range
  // A mark may be of an old quote. It counts at its tick, and is calculated after it.
  const range_of_raw =
    field === 'bid' ? { start_time, end_time, time_domain: 'source' } : { start_time, time_domain: 'calculated' }
  const raw = await ask.list<MarketObservation>(`/markets/${market_id}/prices`, { ...query, ...range_of_raw }, 3)
  if (candles.status === 200 && raw.complete) {
    const points = raw.data.map(({ value, source_at, tick_at, quality_state, received_at, published_at }, i): Point => {
      const at = toMicros(tick_at ?? source_at)
      const order = [at, toMicros(published_at), toMicros(received_at ?? published_at), i]
      return { at, order, value: quality_state === 'stale' ? null : value }
    })
    compareFold(context, candles, raw.request, points, range)
  }
  if (world.tradesArePublic(market)) await compareTrades(context, market, outcome_id)
}

/** Candles of last_trade are a fold of the tape, here of the hours up to its newest trade. */
async function compareTrades(context: CheckContext, market: Market, outcome_id: string): Promise<void> {
  const { ask, find, world } = context
  const tape = await tapeAt(ask, market, world.at)
  if (tape.status !== 200 || !tape.complete) return
  const trades = standingTrades(tapeOfOutcome(tape.data, market, outcome_id))
  if (trades.length === 0) return
  const newest = Math.max(...trades.map(({ source_at }) => toMicros(source_at)))
  const range = rangeAround(formatMicros(newest), 'PT5M', TRADED)
  const query = { outcome_id, field: 'last_trade', as_of: world.at, ...range }
  const candles = await ask.list<Candle & { volume?: string | null }>(`/markets/${market.market_id}/candles`, query)
  if (candles.status !== 200) return
  // Trades of one instant are in the order of the tape.
  const points = trades.map(({ price, source_at }, i): Point => {
    const at = toMicros(source_at)
    return { at, order: [at, i], value: price }
  })
  compareFold(context, candles, tape.request, points, range)
  for (const { bucket_start, bucket_end, volume } of candles.data) {
    if (volume === undefined) return find.lacks('volume of candles')
    const inside = trades.filter(({ source_at }) => within(toMicros(source_at), bucket_start, bucket_end, range))
    const sum = sumDecimals(inside.map(({ quantity }) => parseDecimal(quantity, 'quantity'))).toFixed()
    find.same(
      'volume',
      { request: `${candles.request} (${bucket_start})`, value: volume },
      { request: `${tape.request}: sum`, value: sum },
    )
  }
}

/** Returns a range of whole buckets up to an instant, but for the last, which the range cuts. */
function rangeAround(instant: string, interval: string, width: Micros): Range {
  const step = durationMicros(interval)
  const end = Math.floor(toMicros(instant) / step) * step + step / 5
  return { start_time: formatMicros(Math.floor((end - width) / step) * step), end_time: formatMicros(end), interval }
}

function within(at: Micros, start: string, end: string, { start_time, end_time }: Range): boolean {
  return at >= Math.max(toMicros(start), toMicros(start_time)) && at < Math.min(toMicros(end), toMicros(end_time))
}

function compareFold(
  context: CheckContext,
  candles: Listed<Candle>,
  raw: string,
  points: readonly Point[],
  range: Range,
): void {
  const { find } = context
  const folded = fold(points, range)
  const starts = candles.data.map(({ bucket_start }) => toMicros(bucket_start))
  const expected = [...folded.keys()].sort((a, b) => a - b)
  const shown = (list: readonly Micros[]) => list.map(formatMicros)
  if (
    !find.equal(
      { request: candles.request, value: shown(starts) },
      { request: `${raw}: buckets with a value`, value: shown(expected) },
      new Set(),
      'bucket_start',
    )
  )
    return
  for (const candle of candles.data) {
    const bucket = folded.get(toMicros(candle.bucket_start))!
    const { open, high, low, close, observation_count } = candle
    const request = `${candles.request} (${candle.bucket_start})`
    if (
      !find.equal(
        { request, value: { open, high, low, close, observation_count } },
        { request: `${raw}: fold`, value: bucket },
      )
    )
      return
  }
  for (const candle of candles.data) if (!compareFinal(context, candles, candle, range)) return
}

function fold(points: readonly Point[], range: Range) {
  const step = durationMicros(range.interval)
  const buckets = new Map<Micros, { order: readonly number[]; value: string }[]>()
  for (const { at, order, value } of points) {
    if (value === null || at < toMicros(range.start_time) || at >= toMicros(range.end_time)) continue
    const start = Math.floor(at / step) * step
    buckets.set(start, [...(buckets.get(start) ?? []), { order, value }])
  }
  return new Map([...buckets].map(([start, priced]) => [start, summary(priced)]))
}

function summary(priced: readonly { readonly order: readonly number[]; readonly value: string }[]) {
  const values = [...priced].sort((a, b) => compareOrder(a.order, b.order)).map(({ value }) => value)
  const by_size = [...values].sort((a, b) => parseDecimal(a, 'value').cmp(parseDecimal(b, 'value')))
  return {
    open: values[0]!,
    high: by_size.at(-1)!,
    low: by_size[0]!,
    close: values.at(-1)!,
    observation_count: values.length,
  }
}

function compareOrder(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((part, ordinal) => part !== b[ordinal])
  return i < 0 ? 0 : a[i]! - b[i]!
}

/** A bucket that the range cuts, or that has not ended, is not final; one that ended long ago is. */
function compareFinal(
  { find, world }: CheckContext,
  { request }: Listed<Candle>,
  candle: Candle & { readonly final?: boolean },
  range: Range,
): boolean {
  const end = toMicros(candle.bucket_end)
  const cut = toMicros(candle.bucket_start) < toMicros(range.start_time) || end > toMicros(range.end_time)
  const open = end > toMicros(world.at)
  if (!cut && !open && toMicros(world.at) - SETTLED < end) return true
  const why = cut ? 'the range cuts the bucket' : open ? 'the bucket has not ended' : 'the bucket ended long ago'
  const stated = { request: `${request} (${candle.bucket_start})`, value: candle.final }
  return find.same('final', stated, { request: why, value: !cut && !open })
}
