import { toMicros } from '../../../primitives/instants.ts'
import type { IndexObservation } from '../../../protocol/resources/index-observation.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketPrice } from '../../../protocol/resources/market-price.ts'
import type { OrderBook } from '../../../protocol/resources/order-book.ts'
import { QUALITY_WORST_FIRST, type QualityState } from '../../../vocabulary/index-level.ts'
import type { Answer } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { bookAt, isOwn, momentsOf, priceAt } from '../world.ts'
import { type Assessment, type AssessmentSeries, inForceOf, recordsOf, sampledSeries } from './assessment-series.ts'

const SEVERITY_INDEXES_MAX = 4

/** A10: one rule decides quality_state: old is never valid, and the same data have the same label everywhere. */
export const LABELS_AGREE: Check = {
  id: 'A10',
  title: 'Labels',
  compares:
    'quality_state of view, mark, book and level, and their age against meta.max_age_ms; the rating and the severity in force, and their records',
  share: 3,
  async run(context) {
    const { ask, world, sampler, more } = context
    for (const { index_id } of sampler
      .shuffled((await world.indexes(ask)).data, (index) => index.index_id)
      .slice(0, 6)) {
      const level = await ask.get<IndexObservation>(`/indexes/${index_id}/price`, { as_of: world.at })
      if (level.status === 200) compareAge(context, level, level.data.tick_at)
    }
    for (const series of await sampledSeries(context)) {
      if (!more()) return
      await compareInForce(context, series)
    }
    await compareSeverityIndexes(context)
    for (const market of await world.priced(ask)) {
      for (const at of await momentsOf(ask, sampler, market, world.at)) {
        if (!more()) return
        const view = await priceAt(ask, market, at)
        if (view.status !== 200) continue
        compareView(context, view)
        const mark = await markOf(context, view, at)
        if (mark !== null) compareMark(context, view, mark)
        const book = await bookAt(ask, market, view.data.outcomes[0]!.outcome_id, at)
        if (book.status === 200) compareBook(context, market, view, { book, mark })
      }
    }
  },
}

/** The record in force follows from the history, and has the same label in both and at its own address. */
async function compareInForce(context: CheckContext, series: AssessmentSeries): Promise<void> {
  const { ask, find, world } = context
  const { in_force, query, id, grade, none } = series
  const shown = await ask.get<Assessment>(in_force, { ...query, as_of: world.at })
  const listed = await recordsOf(context, series, world.at)
  if (shown.status !== 200 || listed.status !== 200 || !listed.complete) return
  const found = inForceOf(series, listed, world.at)
  const label = (record: Assessment | null) => ({
    [id]: record?.[id] ?? null,
    [grade]: record?.[grade] ?? none,
    review_state: record?.review_state ?? null,
  })
  const first = { request: shown.request, value: label(shown.data) }
  find.equal(first, { request: `${listed.request}: in force at ${world.at}`, value: label(found) })
  if (found === null) return
  const record = await ask.get<Assessment>(series.record(String(found[id])), { as_of: world.at })
  find.equal(first, { request: record.request, value: label(record.data) })
}

/** A value of a severity index that is older than its bound says so. */
async function compareSeverityIndexes({ ask, find, world }: CheckContext): Promise<void> {
  const indexes = await ask.list<{ severity_index_id: string }>('/severity-indexes', { as_of: world.at })
  for (const { severity_index_id } of (indexes.data ?? []).slice(0, SEVERITY_INDEXES_MAX)) {
    const { status, data, meta, request } = await ask.again<{ source_cutoff_at: string }>(
      `/severity-indexes/${severity_index_id}/value`,
    )
    if (status !== 200 || meta.max_age_ms === undefined) continue
    const age_ms = Math.floor((toMicros(meta.published_at) - toMicros(data.source_cutoff_at)) / 1000)
    find.holds(
      meta.stale === true || age_ms <= meta.max_age_ms,
      'meta.stale of the severity index',
      { request, value: meta.stale ?? false },
      { request: `age ${age_ms} ms > max_age_ms ${meta.max_age_ms}`, value: true },
    )
  }
}

function compareView(context: CheckContext, view: Answer<MarketPrice>): void {
  const { freshness_ms, outcomes, quality_state } = view.data
  const max_age_ms = view.meta.max_age_ms
  if (freshness_ms !== undefined && max_age_ms !== undefined && freshness_ms > max_age_ms)
    notValid(context, view, `freshness_ms ${freshness_ms} > max_age_ms ${max_age_ms}`)
  const empty = outcomes.every(
    ({ best_bid, best_ask, last_trade, mark }) => (best_bid ?? best_ask ?? last_trade ?? mark) === null,
  )
  if (empty)
    context.find.holds(
      quality_state !== 'valid',
      'quality_state',
      { request: view.request, value: quality_state },
      { request: `${view.request}: no price at all`, value: 'not valid' },
    )
}

type Labelled = { readonly quality_state?: QualityState; readonly book_sequence?: number | null }
type Marked = Answer<{ readonly record: { readonly quality_state: QualityState } }>

/** Reads the record of the mark that the first outcome shows; null: it shows none. */
async function markOf({ ask }: CheckContext, { data }: Answer<MarketPrice>, as_of: string): Promise<Marked | null> {
  const { mark, mark_observation_id } = data.outcomes[0]!
  if (mark === null || mark_observation_id === null) return null
  const record = await ask.get<Marked['data']>(`/observations/${mark_observation_id}`, { as_of })
  return record.status === 200 ? record : null
}

/** A price beside a mark is labelled no better than the mark. */
function compareMark({ find }: CheckContext, view: Answer<MarketPrice>, mark: Marked): void {
  const shown = labelOf(view)
  find.holds(
    worst([shown, ...labelsOfMark(mark)]) === shown,
    'quality_state',
    { request: view.request, value: shown },
    { request: mark.request, value: mark.data.record.quality_state },
  )
}

/** A suspension that a mark with a value states is that of a pause, which may be over: the view's market_status decides. */
function labelsOfMark(mark: Marked | null): readonly QualityState[] {
  const label = mark?.data.record.quality_state
  return label === undefined || label === 'suspended' ? [] : [label]
}

function labelOf({ data }: Answer<MarketPrice>): QualityState {
  return (data.outcomes[0] as Labelled | undefined)?.quality_state ?? data.quality_state
}

/** Returns the worst of some labels; one that nobody knows is worse than any. */
function worst(labels: readonly QualityState[]): QualityState | undefined {
  const unknown = labels.find((label) => !QUALITY_WORST_FIRST.includes(label))
  return unknown ?? QUALITY_WORST_FIRST.find((state) => labels.includes(state))
}

type Shown = { readonly book: Answer<OrderBook>; readonly mark: Marked | null }

/**
 * The book that the view shows has the label of the view, apart from a worse one of its mark; one that is too old is not valid. An empty
 * one is suspended, whatever last trade or mark the view still has.
 */
function compareBook(context: CheckContext, market: Market, view: Answer<MarketPrice>, { book, mark }: Shown): void {
  const outcome = view.data.outcomes[0] as Labelled | undefined
  const { bids, asks, quality_state } = book.data
  if (bids.length + asks.length === 0) {
    const side = { request: book.request, value: quality_state }
    context.find.same('quality_state of an empty book', side, { request: 'without bids and asks', value: 'suspended' })
  } else if (outcome?.book_sequence === book.data.sequence)
    context.find.same(
      'quality_state',
      { request: view.request, value: labelOf(view) },
      { request: book.request, value: worst([book.data.quality_state, ...labelsOfMark(mark)]) },
    )
  const { confirmed_at } = book.data as { confirmed_at?: string | null }
  // The book of a market listed here is the engine's, which is current however long nobody changed it.
  if (!isOwn(market)) compareAge(context, book, confirmed_at ?? book.data.source_at)
}

function compareAge(context: CheckContext, answer: Answer<{ quality_state: string }>, of: string): void {
  const { max_age_ms, as_of, published_at } = answer.meta
  if (max_age_ms === undefined) return
  const age_ms = Math.floor((toMicros(as_of ?? published_at) - toMicros(of)) / 1000)
  if (age_ms > max_age_ms) notValid(context, answer, `age ${age_ms} ms of ${of} > max_age_ms ${max_age_ms}`)
}

function notValid({ find }: CheckContext, { request, data }: Answer<{ quality_state: string }>, why: string): void {
  const of = request.split('?')[0]!.split('/').at(-1)
  const what = request.includes('/indexes/') ? 'level' : of
  find.holds(
    data.quality_state !== 'valid',
    `quality_state of the ${what}`,
    { request, value: data.quality_state },
    { request: why, value: 'not valid' },
  )
}
